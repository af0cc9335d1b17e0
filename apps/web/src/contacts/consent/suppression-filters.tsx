import { Pill, Select, Text, TextInput } from '@mantine/core';
import { suppressionReasons } from '@reachout/contract/statuses.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { readChoice } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import type { SuppressionSearch } from './suppression-search.ts';

/** Filters by reason, by the send that caused them, and by the days of entry. */
export function SuppressionFilters({ search: { reason, send, from, to } }: { search: SuppressionSearch }) {
  const { t } = useTranslation('consent');
  const change = useChangeSearch<SuppressionSearch>();
  return (
    <>
      <Select
        clearable
        aria-label={t('list.reason')}
        placeholder={t('list.anyReason')}
        value={reason ?? null}
        data={suppressionReasons.map((value) => ({ value, label: t(`list.reasons.${value}`) }))}
        onChange={(next) => change({ reason: readChoice(next, suppressionReasons) })}
      />
      <TextInput
        type="date"
        miw={0}
        maw="100%"
        aria-label={t('list.from')}
        leftSection={<Text size="xs">{t('list.fromShort')}</Text>}
        leftSectionWidth={48}
        value={from ?? ''}
        max={to}
        onChange={(event) => change({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        miw={0}
        maw="100%"
        aria-label={t('list.to')}
        leftSection={<Text size="xs">{t('list.toShort')}</Text>}
        leftSectionWidth={48}
        value={to ?? ''}
        min={from}
        onChange={(event) => change({ to: event.currentTarget.value || undefined })}
      />
      {send !== undefined && <ChosenSend id={send} onRemove={() => change({ send: undefined })} />}
    </>
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
