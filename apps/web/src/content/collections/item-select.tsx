import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { Select } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { useSettled } from '#web/ui/debounce.ts';
import { valueText } from '#web/ui/value-text.ts';
import { fieldsQuery, itemQuery, itemsQuery } from './item-queries.ts';

interface Props {
  collection: string;
  /** Key of the chosen item. */
  value: string | null;
  label: string;
  placeholder?: string;
  readOnly?: boolean;
  disabled?: boolean;
  onChange: (key: string | null) => void;
}

/** Shown until a name is known. */
const pending = '…';

/** @returns what people call an item; a mark until it is known */
export function useItemName(collection: string, key: string | null): string {
  const { t } = useTranslation('collections');
  const scope = useOrganization();
  const fields = useQuery(fieldsQuery(scope, collection));
  const item = useQuery(itemQuery(scope, collection, key));
  return item.data ? itemName(item.data, fields.data?.data ?? []) : item.isError ? t('item.gone') : pending;
}

/** Selects an item of a collection, searched on the server: there can be many. Begins with the newest ones. */
export function ItemSelect({ collection, value, onChange, ...props }: Props) {
  const { t } = useTranslation('collections');
  const scope = useOrganization();
  const [text, setText] = useState('');
  const settled = useSettled(text.trim());
  const fields = useQuery(fieldsQuery(scope, collection));
  const nameOf = (item: Item) => itemName(item, fields.data?.data ?? []);
  const chosenName = useItemName(collection, value);
  // The field shows the name of the chosen item, which is no search.
  const search = settled === chosenName || settled === pending ? '' : settled;
  const found = useQuery({
    ...itemsQuery(scope, collection, compact({ search: search || undefined }), fields.data?.data),
    enabled: fields.data !== undefined,
  });
  const options = (found.data?.items ?? []).map((item) => ({
    value: valueText(item['id']),
    label: nameOf(item),
  }));
  const isListed = value === null || options.some((option) => option.value === value);
  return (
    <Select
      searchable
      clearable
      data={isListed ? options : [{ value, label: chosenName }, ...options]}
      value={value}
      searchValue={text}
      onSearchChange={setText}
      // The server has already filtered.
      filter={({ options: all }) => all}
      nothingFoundMessage={found.isPending ? pending : t('item.nothingFound')}
      onChange={onChange}
      {...props}
    />
  );
}

/** The server names an item by these, too: `titleOf` in its `check-items.ts`. */
const nameFields = ['title', 'name', 'subject', 'headline'];

/** @returns what people call an item: its title or the like, otherwise its first text, otherwise its key */
function itemName(item: Item, fields: readonly Field[]): string {
  const texts = fields
    .filter(({ type, hidden }) => !hidden && (type === 'string' || type === 'text'))
    .map(({ field }) => field);
  for (const name of [...nameFields, ...texts]) {
    const value = item[name];
    if (typeof value === 'string' && value.trim() !== '') return cutText(value.trim(), 120);
  }
  return valueText(item['id']);
}
