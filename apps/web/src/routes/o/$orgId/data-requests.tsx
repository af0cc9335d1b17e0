import { Alert, Text } from '@mantine/core';
import type { DataRequest } from '@reachout/contract/data-requests.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { canComplete, needsMember, type DataRequestState } from '@reachout/contract/states/data-request.ts';
import { IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { textColumn, timeColumn, wordsColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { PermittedPage } from '#web/identity/organizations/permitted-page.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { dataRequestList, dataRequestsQuery } from '#web/operations/data-requests/data-request-list.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { QuietText } from '#web/ui/text.ts';

const permissions = [['read', 'Consent']] as const;

export const Route = createFileRoute('/o/$orgId/data-requests')({
  beforeLoad: loadContactTexts,
  ...dataRequestList.route,
  loader: ({ context, deps }) =>
    context.preload((scope) => (scope.can('read', 'Consent') ? [dataRequestsQuery(scope, deps)] : [])),
  component: () => (
    <PermittedPage permission={permissions}>
      <DataRequests />
    </PermittedPage>
  ),
});

/** What recipients have asked for about their own data. */
function DataRequests() {
  const { t } = useTranslation('consent');
  const scope = useOrganization();
  const { orgId } = scope;
  const query = useQuery(dataRequestsQuery(scope, Route.useSearch()));
  const waiting = query.data?.waiting_count ?? 0;
  return (
    <RecordList
      records={recordLists.dataRequests}
      query={query}
      list={dataRequestList}
      header={() => (
        <>
          <PageHeader
            title={t('words.dataRequests')}
            section={t('words.contacts')}
            note={t('requests.note')}
            crumbs={linkOptions([
              { to: '/o/$orgId/contacts', params: { orgId }, label: t('words.contacts') },
            ])}
          />
          {waiting > 0 && (
            <Alert color="yellow" mb="md" role="status">
              {t('requests.waiting', { count: waiting })}
            </Alert>
          )}
        </>
      )}
      texts="consent:requests"
      label={t('words.dataRequests')}
      icon={IconShieldLock}
      columns={useColumns()}
      nameOf={(request) =>
        t('requests.actionsOf', { address: request.masked_address ?? t('requests.forgotten') })
      }
      shown={{
        retry: { label: t('actions.retry'), done: t('requests.retried') },
        complete: {
          label: t('requests.complete'),
          question: ({ kind, masked_address }) => ({
            title: t('requests.completeTitle', { address: masked_address ?? t('requests.forgotten') }),
            body: t(`requests.completeBody.${kind}`),
          }),
          done: t('requests.completed'),
        },
      }}
    />
  );
}

/** The status whose badge shows a state. */
const statusOf = {
  unconfirmed: 'pending',
  running: 'running',
  waiting: 'held',
  done: 'completed',
  failed: 'failed',
} as const satisfies Record<DataRequestState, string>;

function useColumns(): ListColumn<DataRequest>[] {
  const { t } = useTranslation('consent');
  return [
    textColumn('kind', t('words.request'), ({ kind }) => t(`requests.kinds.${kind}`)),
    wordsColumn('address', t('words.address'), (row) => row.masked_address ?? t('requests.forgotten'), {
      width: 180,
    }),
    {
      name: 'state',
      header: t('list.state'),
      cell: ({ state }) => (
        <StatusBadge
          status={statusOf[state]}
          label={state === 'waiting' ? t('requests.actionNeeded') : undefined}
        />
      ),
    },
    wordsColumn('brand', t('words.brand'), ({ brand_name }) => brand_name ?? '', { width: 140 }),
    timeColumn('requested_at', t('words.requested'), (request) => request.requested_at, {
      as: 'dateTime',
    }),
    {
      name: 'reason',
      header: t('words.reason'),
      cell: (request) =>
        needsMember(request) && (
          <>
            <Text size="sm" className="break">
              {request.error_content}
            </Text>
            {request.kind === 'erasure' && canComplete(request) && (
              <QuietText>{t('requests.toDo')}</QuietText>
            )}
          </>
        ),
    },
  ];
}
