import { Select } from '@mantine/core';
import { unfinishedJobStates } from '@reachout/contract/states/job.ts';
import { useTranslation } from 'react-i18next';
import { readChoice } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import type { JobSearch } from './job-search.ts';
import { jobKinds, useKindName } from './use-kind-name.ts';

export function JobFilters({ search: { kind, state } }: { search: JobSearch }) {
  const { t } = useTranslation('jobs');
  const nameOf = useKindName();
  const change = useChangeSearch<JobSearch>();
  return (
    <>
      <Select
        clearable
        aria-label={t('kind')}
        placeholder={t('anyKind')}
        value={kind ?? null}
        data={[...new Set([...jobKinds, ...(kind === undefined ? [] : [kind])])].map((value) => ({
          value,
          label: nameOf(value),
        }))}
        onChange={(next) => change({ kind: next ?? undefined })}
      />
      <Select
        clearable
        aria-label={t('state')}
        placeholder={t('anyState')}
        value={state ?? null}
        data={unfinishedJobStates.map((value) => ({ value, label: t(value) }))}
        onChange={(next) => change({ state: readChoice(next, unfinishedJobStates) })}
      />
    </>
  );
}
