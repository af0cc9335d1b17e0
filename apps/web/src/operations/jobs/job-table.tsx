import { Menu } from '@mantine/core';
import type { Job } from '@reachout/contract/jobs.ts';
import { canRetryJob } from '@reachout/contract/states/job.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import { useKindName } from './use-kind-name.ts';

export function JobTable(table: TableState<Job>) {
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

/** The state shown in the badge. */
function shownStateOf({ state, is_running }: Job): string {
  if (is_running) return 'running';
  return state === 'open' ? 'queued' : state;
}
