import { Stack } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { hasEnded, sendCan } from '@reachout/contract/states/send.ts';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { countColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { refresh } from '#web/platform/query-client.ts';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';
import { itemQueueQuery } from '#web/delivery/schedules/item-queue-query.ts';
import { loadForSchedules } from '#web/outreach/schedules/load-for-schedules.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { SendStatusBadge } from '#web/delivery/sends/send-status-badge.tsx';
import { SendProgressBar } from '#web/delivery/sends/send-progress-bar.tsx';
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
    ...list.query(search, { id: touchpointId }),
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
      <RecordList
        query={query}
        list={list}
        header={false}
        texts="sendPage:list"
        icon={IconSend}
        columns={useColumns(touchpointId)}
        empty={{
          actions: scope.canEver('send', 'Touchpoint') && (
            <LinkButton
              variant="filled"
              to="/o/$orgId/touchpoints/$touchpointId/email"
              params={{ orgId: scope.orgId, touchpointId }}
            >
              {t('words.toEmail')}
            </LinkButton>
          ),
        }}
      />
    </Stack>
  );
}

function useColumns(touchpointId: string): ListColumn<Send>[] {
  const { t } = useTranslation('sendPage');
  const format = useFormat();
  const { orgId } = useOrganization();
  return [
    {
      name: 'started',
      header: t('words.started'),
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
    {
      name: 'status',
      header: t('words.status'),
      sort: 'status',
      cell: (send) => <SendStatusBadge send={send} />,
    },
    {
      name: 'progress',
      header: t('list.progress'),
      width: 200,
      // What has not started has no progress.
      cell: (send) => !sendCan.undo(send) && <SendProgressBar send={send} compact />,
    },
    countColumn('sent', t('status.sent'), (send) => send.recipients_total_sent_count, {
      sort: 'recipients_total_sent_count',
      isDescendingFirst: true,
    }),
    countColumn('recipients', t('words.recipients'), (send) => send.recipients_total_count, {
      sort: 'recipients_total_count',
      isDescendingFirst: true,
    }),
  ];
}
