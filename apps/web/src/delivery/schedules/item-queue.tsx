// By hand: its rows have an order that is changed in it.
import { Group, Menu } from '@mantine/core';
import type { QueuedItem } from '@reachout/contract/schedules.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AddItems } from '#web/outreach/channels/email/add-items.tsx';
import { ChangeTime } from '#web/outreach/schedules/change-time.tsx';
import { useRuleWords } from '#web/outreach/schedules/use-rule-words.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { notifyOf } from '#web/ui/notify.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { useSendErrorText } from '#web/ui/send-error-text.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { FinePrint, QuietText, SectionTitle } from '#web/ui/text.ts';
import { itemQueueQuery, queuePageSize } from './item-queue-query.ts';

/** An item that can be moved and left out. */
type Waiting = QueuedItem & { schedule_id: string };

const isWaiting = (item: QueuedItem): item is Waiting =>
  item.item_status === 'scheduled' && item.schedule_id !== null;

/** The content items of an email that are or were sent one by one; nothing if there are none. */
export default function ItemQueue() {
  const { t } = useTranslation('schedules');
  const scope = useOrganization();
  const { touchpoint } = useTouchpoint();
  const [page, setPage] = useState(0);
  const { data, isPlaceholderData } = useQuery(itemQueueQuery(scope, touchpoint.id, page));
  const columns = useColumns();
  const plannedTime = usePlannedTime();
  const { ruleWords } = useRuleWords();
  const [moving, setMoving] = useState<Waiting>();
  const [leavingOut, setLeavingOut] = useState<Waiting>();
  const leaveOut = useMutation(scope.api.schedules.delete.mutationOptions(notifyOf(t('leftOut'))));
  if (data === undefined || data.count === 0) return null;
  const { client, brand, status } = touchpoint;
  const goesOn = status === 'active' || status === 'paused';
  const canSend = scope.can('send', 'Touchpoint', { client_id: client.id, brand_id: brand.id });
  return (
    <section aria-labelledby="queue">
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <SectionTitle id="queue">{t('items.title')}</SectionTitle>
          {goesOn && data.slots && (
            <QuietText>
              {t('items.slots', {
                rule: ruleWords(data.slots),
                time: plannedTime(data.slots.start_date, data.slots.time_zone),
              })}
            </QuietText>
          )}
        </div>
        {goesOn && <AddItems slots={data.slots} />}
      </Group>
      <DataTable
        label={t('items.title')}
        columns={columns}
        rows={data.items}
        rowKey={({ send_id: id }) => id}
        busy={isPlaceholderData}
        rowActions={
          canSend
            ? (item) =>
                isWaiting(item) && (
                  <RowMenu name={item.item_title}>
                    <Menu.Item onClick={() => setMoving(item)}>{t('moveTo')}</Menu.Item>
                    <Menu.Item c="var(--app-danger)" onClick={() => setLeavingOut(item)}>
                      {t('leaveOut')}
                    </Menu.Item>
                  </RowMenu>
                )
            : undefined
        }
      />
      <Pager
        page={page + 1}
        pageSize={queuePageSize}
        shown={data.items.length}
        total={data.count}
        hasMore={false}
        onPage={(next) => setPage(next - 1)}
      />
      {moving && (
        <ChangeTime
          touchpoint={{ id: touchpoint.id, name: moving.item_title }}
          scheduleId={moving.schedule_id}
          onClose={() => setMoving(undefined)}
        />
      )}
      {leavingOut && (
        <ConfirmDialog
          title={t('leaveOutTitle', { name: leavingOut.item_title })}
          text={t('leaveOutBody')}
          confirmLabel={t('leaveOut')}
          onConfirm={() => leaveOut.mutateAsync({ id: leavingOut.schedule_id })}
          onClose={() => setLeavingOut(undefined)}
        />
      )}
    </section>
  );
}

function useColumns(): Column<QueuedItem>[] {
  const { t } = useTranslation(['schedules', 'common']);
  const { orgId } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const format = useFormat();
  const plannedTime = usePlannedTime();
  const errorText = useSendErrorText();
  return [
    {
      header: t('items.item'),
      cell: (item) => (
        <LinkAnchor
          to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
          params={{ orgId, touchpointId: touchpoint.id, sendId: item.send_id }}
        >
          {item.item_title}
        </LinkAnchor>
      ),
    },
    { header: t('date'), cell: (item) => plannedTime(item.send_date ?? item.schedule_date, item.time_zone) },
    {
      header: t('words.status'),
      cell: ({ item_status: status, error }) => (
        <>
          <StatusBadge status={status} />
          {error !== null && <FinePrint>{errorText(error)}</FinePrint>}
        </>
      ),
    },
    {
      header: t('items.failed'),
      align: 'end',
      // What has not started has failed for nobody.
      cell: ({ send_date: date, failed_count: count }) => date !== null && format.number(count),
    },
  ];
}
