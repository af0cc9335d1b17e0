import { Pill, Text, TextInput } from '@mantine/core';
import { suppressionReasons } from '@reachout/contract/statuses.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ListFilter, OtherFilter } from '#web/identity/lists/list-filters.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import type { SuppressionSearch } from './suppression-search.ts';

/** Filters by reason, by the send that caused them, and by the days of entry. */
export function useSuppressionFilters({ send, from, to }: SuppressionSearch): (ListFilter | OtherFilter)[] {
  const { t } = useTranslation('consent');
  const change = useChangeSearch<SuppressionSearch>();
  return [
    {
      name: 'reason',
      label: t('words.reason'),
      any: t('list.anyReason'),
      options: suppressionReasons.map((value) => ({ value, label: t(`list.reasons.${value}`) })),
    },
    { names: ['from'], control: <Day name="from" value={from} max={to} /> },
    { names: ['to'], control: <Day name="to" value={to} min={from} /> },
    {
      names: ['send'],
      control: send !== undefined && <ChosenSend id={send} onRemove={() => change({ send: undefined })} />,
    },
  ];
}

interface DayProps {
  name: 'from' | 'to';
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
}

function Day({ name, value = '', ...limits }: DayProps) {
  const { t } = useTranslation('consent');
  const change = useChangeSearch<Record<string, string>>();
  return (
    <TextInput
      {...limits}
      type="date"
      miw={0}
      maw="100%"
      aria-label={t(`list.${name}`)}
      leftSection={<Text size="xs">{t(`list.${name}Short`)}</Text>}
      leftSectionWidth={48}
      value={value}
      onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
    />
  );
}

/** The send is chosen by the link on its page. */
function ChosenSend({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t } = useTranslation('consent');
  const { api } = useOrganization();
  const { data } = useQuery(api.sends.get.queryOptions({ input: { id }, meta: { quiet: true } }));
  return (
    <Pill
      size="lg"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': t('list.anySend'), 'aria-hidden': false, tabIndex: 0 }}
    >
      {data === undefined ? t('list.ofSend') : t('list.ofSendNamed', { email: data.touchpoint.name })}
    </Pill>
  );
}
