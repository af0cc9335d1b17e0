import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { useSettled } from '#web/ui/debounce.ts';

interface NamedRecord {
  id: string;
  name: string;
}

type Props = Omit<MultiSelectProps, 'data' | 'searchable' | 'filter' | 'searchValue' | 'onSearchChange'> & {
  /** Names of the clients already selected. */
  chosen?: readonly NamedRecord[];
};

/** Selects clients of the organization, searched by name on the server: there can be thousands. */
export function ClientChoice({ chosen = [], value = [], ...props }: Props) {
  const { t } = useTranslation('organizations');
  const { api, orgId } = useOrganization();
  const [text, setText] = useState('');
  const search = useSettled(text.trim());
  const [seen, setSeen] = useState<readonly NamedRecord[]>(chosen);
  const query = useQuery(
    api.clients.list.queryOptions({
      input: compact({ organization_id: orgId, search: search || undefined, page: 0, page_size: 50 }),
      placeholderData: keepPreviousData,
    }),
  );
  const found = query.data?.items ?? [];
  const names = new Map([...seen, ...found].map(({ id, name }) => [id, name]));
  const data = [...new Set([...value, ...found.map(({ id }) => id)])].map((id) => ({
    value: id,
    label: names.get(id) ?? t('unknownClient'),
  }));
  return (
    <MultiSelect
      searchable
      data={data}
      value={value}
      searchValue={text}
      onSearchChange={(next) => {
        setText(next);
        // Their names are still needed when the search finds other clients.
        setSeen([...names].map(([id, name]) => ({ id, name })));
      }}
      // The server has already filtered.
      filter={({ options }) => options}
      nothingFoundMessage={t(search === '' ? 'noClientsYet' : 'noClientFound')}
      {...props}
    />
  );
}
