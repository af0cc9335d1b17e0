import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { readChoice } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';

interface Props<S extends string> {
  value: S | undefined;
  statuses: readonly S[];
}

export function StatusFilter<S extends string>({ value, statuses }: Props<S>) {
  const { t } = useTranslation(['operator', 'common']);
  const change = useChangeSearch<{ status?: S }>();
  return (
    <Select
      clearable
      aria-label={t('status')}
      placeholder={t('anyStatus')}
      value={value ?? null}
      data={statuses.map((status) => ({
        value: status,
        label: t(`common:status.${status}` as 'common:status.active'),
      }))}
      onChange={(next) => change({ status: readChoice(next, statuses) })}
    />
  );
}
