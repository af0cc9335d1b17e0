import { Stack } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { hasEnded, sendCan } from '@reachout/contract/states/send.ts';
import { IconSend } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { refresh } from '#web/platform/query-client.ts';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';
import { itemQueueQuery } from '#web/delivery/schedules/item-queue-query.ts';
import { loadForSchedules } from '#web/outreach/schedules/load-for-schedules.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { SendStatusBadge } from '#web/delivery/sends/send-status-badge.tsx';
import { SendProgressBar } from '#web/delivery/sends/send-progress-bar.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useOnChange } from '#web/ui/use-on-change.ts';

const list = defineList({
  pageSize: 10,
  sortBy: ['send_date', 'status', 'recipients_total_sent_count', 'recipients_total_count'],
  defaultOrder: 'send_date.desc',
});

/** Polling interval while a send is open. */
const openMs = 3_000;

const sendsQuery = ({ api }: OrganizationContext, touchpointId: string, search: SearchOf<typeof list>) =>
  api.sends.listOfTouchpoint.queryOptions({
    input: { id: touchpointId, ...list.input(search) },
    placeholderData: keepPreviousData,
    meta: { quiet: true },
    refetchInterval: ({ state }) => (state.data?.items.some((send) => !hasEnded(send)) ? openMs : false),
  });

// Lazy: few emails have a queue, and it needs the rules of repetition, which are large.
const ItemQueue = lazy(() => loadForSchedules(() => import('#web/delivery/schedules/item-queue.tsx')));

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/sends/')({
  ...list.route,
  loader: ({ context, params, deps }) =>
    context.preload((scope) => [
      sendsQuery(scope, params.touchpointId, deps),
      itemQueueQuery(scope, params.touchpointId),
    ]),
  component: Sends,
});

function Sends() {
  const { t } = useTranslation('sendPage');
  const { touchpointId } = Route.useParams();
  const scope = useOrganization();
  const { touchpoint } = useTouchpoint();
  const columns = useColumns(touchpointId);
  const query = useQuery(sendsQuery(scope, touchpointId, Route.useSearch()));
  // The touchpoint above the list changes with its sends.
  useOnChange(query.data?.items.map(({ status }) => status).join(' '), () => void refresh(scope.orgId));
  return (
    <Stack gap="lg">
      {touchpoint.collection !== null && (
        <Suspense fallback={null}>
          <ItemQueue />
        </Suspense>
      )}
      <ListPage
        query={query}
        what={t('list.what')}
        empty={
          <EmptyState
            icon={IconSend}
            title={t('list.empty.title')}
            actions={
              scope.canEver('send', 'Touchpoint') && (
                <LinkButton
                  to="/o/$orgId/touchpoints/$touchpointId/email"
                  params={{ orgId: scope.orgId, touchpointId }}
                >
                  {t('list.empty.action')}
                </LinkButton>
              )
            }
            text={t('list.empty.body')}
          />
        }
        list={list}
      >
        {(table) => <DataTable {...table} label={t('list.title')} columns={columns} />}
      </ListPage>
    </Stack>
  );
}

function useColumns(touchpointId: string): Column<Send>[] {
  const { t } = useTranslation(['sendPage', 'common']);
  const format = useFormat();
  const { orgId } = useOrganization();
  return [
    {
      header: t('list.started'),
      sort: 'send_date',
      isDescendingFirst: true,
      cell: (send) => (
        <>
          <LinkAnchor
            to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
            params={{ orgId, touchpointId, sendId: send.id }}
          >
            {format.dateTime(send.send_date)}
          </LinkAnchor>
          {send.kind !== 'campaign' && ` · ${t(`kind.${send.kind}`)}`}
          {send.item_title !== null && ` · ${send.item_title}`}
        </>
      ),
    },
    { header: t('common:filter.status'), sort: 'status', cell: (send) => <SendStatusBadge send={send} /> },
    {
      header: t('list.progress'),
      width: 200,
      // What has not started has no progress.
      cell: (send) => !sendCan.undo(send) && <SendProgressBar send={send} compact />,
    },
    {
      header: t('list.sent'),
      sort: 'recipients_total_sent_count',
      isDescendingFirst: true,
      align: 'end',
      cell: (send) => format.number(send.recipients_total_sent_count),
    },
    {
      header: t('recipients'),
      sort: 'recipients_total_count',
      isDescendingFirst: true,
      align: 'end',
      cell: (send) => format.number(send.recipients_total_count),
    },
  ];
}
