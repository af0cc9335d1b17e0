import { Menu, Text } from '@mantine/core';
import type { DataRequest } from '@reachout/contract/data-requests.ts';
import { canComplete, needsMember, type DataRequestState } from '@reachout/contract/states/data-request.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';

/** The status whose badge shows a state. */
const statusOf = {
  unconfirmed: 'pending',
  running: 'running',
  waiting: 'held',
  done: 'completed',
  failed: 'failed',
} as const satisfies Record<DataRequestState, string>;

/** Requests of recipients, with what a member can do about those that wait. */
export function DataRequestTable(table: TableState<DataRequest>) {
  const { t } = useTranslation('consent');
  const { api, can } = useOrganization();
  const [asked, setAsked] = useState<DataRequest>();
  const retry = useMutation(
    api.dataRequests.retry.mutationOptions({ onSuccess: () => notify(t('requests.retried')) }),
  );
  const complete = useMutation(
    api.dataRequests.complete.mutationOptions({ onSuccess: () => notify(t('requests.completed')) }),
  );
  const addressOf = ({ masked_address: address }: DataRequest) => address ?? t('requests.forgotten');
  const columns: Column<DataRequest>[] = [
    { header: t('requests.kind'), cell: ({ kind }) => t(`requests.kinds.${kind}`) },
    {
      header: t('list.address'),
      width: 180,
      cell: (request) => <span className="break">{addressOf(request)}</span>,
    },
    {
      header: t('list.state'),
      cell: ({ state }) => (
        <StatusBadge
          status={statusOf[state]}
          label={state === 'waiting' ? t('requests.actionNeeded') : undefined}
        />
      ),
    },
    {
      header: t('requests.brand'),
      width: 140,
      cell: ({ brand_name: name }) => <span className="break">{name ?? ''}</span>,
    },
    {
      header: t('requests.requested'),
      cell: ({ requested_at: requestedAt }) => <Time at={requestedAt} as="dateTime" />,
    },
    {
      header: t('requests.reason'),
      cell: (request) =>
        needsMember(request) && (
          <>
            <Text size="sm" className="break">
              {request.error_content}
            </Text>
            {request.kind === 'erasure' && canComplete(request) && (
              <Text size="sm" c="dimmed">
                {t('requests.toDo')}
              </Text>
            )}
          </>
        ),
    },
  ];
  const rowActions = (request: DataRequest) =>
    needsMember(request) &&
    can('update', 'Consent') && (
      <RowMenu name={t('requests.actionsOf', { address: addressOf(request) })}>
        <Menu.Item onClick={() => retry.mutate({ id: request.id })}>{t('requests.retry')}</Menu.Item>
        {canComplete(request) && (
          <Menu.Item onClick={() => setAsked(request)}>{t('requests.complete')}</Menu.Item>
        )}
      </RowMenu>
    );
  return (
    <>
      <ActionError error={retry.error} />
      <DataTable {...table} label={t('requests.title')} columns={columns} rowActions={rowActions} />
      {asked !== undefined && (
        <ConfirmDialog
          title={t('requests.completeTitle', { address: addressOf(asked) })}
          confirmLabel={t('requests.complete')}
          onConfirm={() => complete.mutateAsync({ id: asked.id })}
          onClose={() => setAsked(undefined)}
        >
          <Text>{t(`requests.completeBody.${asked.kind}`)}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
