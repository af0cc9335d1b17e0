import { Box } from '@mantine/core';
import type { Job, JobFigures } from '@reachout/contract/jobs.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { unfinishedJobStates } from '@reachout/contract/states/job.ts';
import { IconChecks } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { countColumn, statusColumn, timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { PlainHeader } from '#web/ui/plain-header.tsx';
import { jobFiguresQuery, jobsQuery } from './job-queries.ts';
import { jobList, type JobSearch } from './job-search.ts';
import { jobKinds, useKindName } from './use-kind-name.ts';
import { SectionTitle } from '#web/ui/text.ts';

/** Open and failed jobs of the installation, below the figures by kind. */
export function JobList({ search }: { search: JobSearch }) {
  const { t } = useTranslation('jobs');
  const nameOf = useKindName();
  return (
    <RecordList
      records={recordLists.jobs}
      query={useQuery(jobsQuery(search))}
      list={jobList}
      header={() => (
        <>
          <PlainHeader title={t('title')} intro={t('intro')} />
          <JobFiguresTable />
        </>
      )}
      texts="jobs"
      icon={IconChecks}
      columns={useColumns()}
      filters={[
        {
          name: 'kind',
          label: t('words.kind'),
          any: t('anyKind'),
          options: [...new Set([...jobKinds, ...(search.kind === undefined ? [] : [search.kind])])].map(
            (value) => ({ value, label: nameOf(value) }),
          ),
        },
        {
          name: 'state',
          label: t('words.status'),
          any: t('anyState'),
          options: unfinishedJobStates.map((value) => ({ value, label: t(`states.${value}`) })),
        },
      ]}
      nameOf={({ kind, organization }) =>
        t('actionsOf', { kind: nameOf(kind), organization: organization?.name ?? t('installation') })
      }
      shown={{ retry: { label: t('actions.retry'), done: t('retried') } }}
    />
  );
}

/** Number of waiting, running and failed jobs of each kind. */
function JobFiguresTable() {
  const { t } = useTranslation('jobs');
  const nameOf = useKindName();
  const { data } = useQuery(jobFiguresQuery);
  if (data === undefined || data.items.length === 0) return null;
  const columns: Column<JobFigures>[] = [
    { header: t('words.kind'), cell: ({ kind }) => nameOf(kind) },
    countColumn('open', t('states.open'), ({ open }) => open),
    countColumn('running', t('figures.running'), ({ running }) => running),
    countColumn('failed', t('status.failed'), ({ failed }) => failed),
    timeColumn('oldest', t('figures.waitingSince'), ({ oldest_due_at }) => oldest_due_at, {
      none: t('words.none'),
      align: 'end',
    }),
  ];
  return (
    <Box component="section" mb="lg">
      <SectionTitle mb="xs">{t('figures.label')}</SectionTitle>
      <DataTable label={t('figures.label')} columns={columns} rows={data.items} rowKey={({ kind }) => kind} />
    </Box>
  );
}

function useColumns(): ListColumn<Job>[] {
  const { t } = useTranslation('jobs');
  const nameOf = useKindName();
  return [
    { name: 'kind', header: t('words.kind'), cell: ({ kind }) => nameOf(kind) },
    {
      name: 'organization',
      header: t('words.organization'),
      cell: ({ organization }) => organization?.name ?? t('installation'),
    },
    statusColumn(t('words.status'), shownStateOf),
    countColumn('attempts', t('words.attempts'), ({ attempts }) => attempts),
    timeColumn('due', t('due'), ({ due_at }) => due_at),
    { name: 'error', header: t('error'), cell: ({ error_content }) => error_content ?? '' },
  ];
}

function shownStateOf({ state, is_running }: Job): string {
  if (is_running) return 'running';
  return state === 'open' ? 'queued' : state;
}
