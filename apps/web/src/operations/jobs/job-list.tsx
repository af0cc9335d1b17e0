import { Menu, Select, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { Job, JobFigures } from '@reachout/contract/jobs.ts';
import { canRetryJob, unfinishedJobStates } from '@reachout/contract/states/job.ts';
import { IconChecks } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { api } from '#web/platform/api.ts';
import { readChoice } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage, type TableState } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError, EmptyState } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import { jobFiguresQuery, jobsQuery } from './job-queries.ts';
import { jobList, type JobSearch } from './job-search.ts';
import { jobKinds, useKindName } from './use-kind-name.ts';

/** Open and failed jobs of the installation, below the figures by kind. */
export function JobList({ search }: { search: JobSearch }) {
  const { t } = useTranslation(['jobs', 'common']);
  useDocumentTitle(`${t('title')} · ${t('common:product')}`);
  const query = useQuery(jobsQuery(search));
  return (
    <ListPage
      query={query}
      what={t('what')}
      header={() => (
        <Stack gap="lg" mb="lg">
          <div>
            <Title order={1} mb={4}>
              {t('title')}
            </Title>
            <Text c="dimmed">{t('intro')}</Text>
          </div>
          <JobFiguresTable />
        </Stack>
      )}
      filters={<JobFilters search={search} />}
      filtered={search.kind !== undefined || search.state !== undefined}
      noResults={t('noMatch')}
      empty={<EmptyState icon={IconChecks} title={t('empty.title')} text={t('empty.body')} />}
      list={jobList}
    >
      {(table) => <JobTable {...table} />}
    </ListPage>
  );
}

/** Number of waiting, running and failed jobs of each kind. */
function JobFiguresTable() {
  const { t } = useTranslation('jobs');
  const format = useFormat();
  const nameOf = useKindName();
  const { data } = useQuery(jobFiguresQuery);
  if (data === undefined || data.items.length === 0) return null;
  const columns: Column<JobFigures>[] = [
    { header: t('kind'), cell: ({ kind }) => nameOf(kind) },
    { header: t('open'), cell: ({ open }) => format.number(open), align: 'end' },
    { header: t('figures.running'), cell: ({ running }) => format.number(running), align: 'end' },
    { header: t('failed'), cell: ({ failed }) => format.number(failed), align: 'end' },
    {
      header: t('figures.waitingSince'),
      cell: ({ oldest_due_at: at }) => (at === null ? t('figures.none') : <Time at={at} />),
      align: 'end',
    },
  ];
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('figures.label')}
      </Title>
      <DataTable label={t('figures.label')} columns={columns} rows={data.items} rowKey={({ kind }) => kind} />
    </section>
  );
}

function JobFilters({ search: { kind, state } }: { search: JobSearch }) {
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

function JobTable(table: TableState<Job>) {
  const { t } = useTranslation('jobs');
  const format = useFormat();
  const nameOf = useKindName();
  const retry = useMutation(api.jobs.retry.mutationOptions({ onSuccess: () => notify(t('retried')) }));
  const organizationOf = ({ organization }: Job) => organization?.name ?? t('installation');
  const columns: Column<Job>[] = [
    { header: t('kind'), cell: ({ kind }) => nameOf(kind) },
    { header: t('organization'), cell: organizationOf },
    { header: t('state'), cell: (job) => <StatusBadge status={shownStateOf(job)} /> },
    { header: t('attempts'), cell: ({ attempts }) => format.number(attempts), align: 'end' },
    { header: t('due'), cell: ({ due_at }) => <Time at={due_at} /> },
    { header: t('error'), cell: ({ error_content }) => error_content ?? '' },
  ];
  const rowActions = (job: Job) =>
    canRetryJob(job) && (
      <RowMenu name={t('actionsOf', { kind: nameOf(job.kind), organization: organizationOf(job) })}>
        <Menu.Item onClick={() => retry.mutate({ id: job.id })}>{t('retry')}</Menu.Item>
      </RowMenu>
    );
  return (
    <>
      <ActionError error={retry.error} />
      <DataTable {...table} label={t('title')} columns={columns} rowActions={rowActions} />
    </>
  );
}

function shownStateOf({ state, is_running }: Job): string {
  if (is_running) return 'running';
  return state === 'open' ? 'queued' : state;
}
