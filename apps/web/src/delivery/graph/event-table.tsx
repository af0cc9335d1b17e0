import { Anchor, Group, Text } from '@mantine/core';
import { recordLists, type RecordList as RecordListOf } from '@reachout/contract/record-lists.ts';
import type { TouchpointEvent } from '@reachout/contract/event-graph.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import type { ReactionState } from '@reachout/contract/rules/event-graph.ts';
import { IconSitemap } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { nameColumn, Nothing, statusColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import { Time } from '#web/ui/time.tsx';
import type { OpenedGraph } from './graph-dialog.tsx';
import { useGraphWords, useSkipText } from './graph-words.ts';
import { toCampaignRows, type CampaignRow } from './campaign-rows.ts';

interface Props {
  query: UseQueryResult<{ items: TouchpointEvent[] }>;
  onOpen: (opened: OpenedGraph) => void;
  /** Below the names of their campaigns. */
  isGrouped?: boolean;
  empty: { text: string; actions?: ReactNode };
}

type Row = Connection | CampaignRow;
const isConnection = (row: Row): row is Connection => 'event' in row;
const { touchpointEvents: list } = recordLists;

/** Of the reasons why reactions were skipped. */
const shownReasons = 2;

/** All that a graph says, as a table: when what happens, who does what and after which time, and how many wait. */
export function EventTable({ query, onOpen, isGrouped = false, empty }: Props) {
  const { t } = useTranslation('eventGraph');
  const events = query.data?.items ?? [];
  const words = useGraphWords(events);
  const openedAs = (kind: 'edit' | 'addListener' | 'switch' | 'remove') => ({
    run: (row: Row) => isConnection(row) && onOpen({ kind, connection: row }),
  });
  return (
    <RecordList<Row, TouchpointEvent, keyof typeof list.actions>
      records={{
        ...(list as RecordListOf<Row, keyof typeof list.actions>),
        isRecord: isConnection,
        ...(isGrouped && { rowsOf: toCampaignRows }),
      }}
      query={query}
      header={false}
      texts="eventGraph"
      icon={IconSitemap}
      empty={empty}
      columns={useColumns(words, onOpen)}
      nameOf={(row) => (isConnection(row) ? words.nameOf(row) : row.campaign.name)}
      {...(isGrouped && { levelOf: (row: Row) => (isConnection(row) ? 'child' : 'heading') })}
      shown={{
        edit: openedAs('edit'),
        addListener: { ...openedAs('addListener'), label: t('addListener') },
        toggle: {
          ...openedAs('switch'),
          label: (row) => t(isConnection(row) && row.event.is_active ? 'switch.off' : 'switch.on'),
        },
        remove: { ...openedAs('remove'), label: t('remove.label'), isDestructive: true },
      }}
    />
  );
}

function useColumns(
  words: ReturnType<typeof useGraphWords>,
  onOpen: (opened: OpenedGraph) => void,
): ListColumn<Row>[] {
  const { t } = useTranslation(['eventGraph', 'common']);
  const { orgId } = useOrganization();
  const skipText = useSkipText();
  const of = (cell: (row: Connection) => ReactNode) => (row: Row) => (isConnection(row) ? cell(row) : null);
  const count = (
    state: ReactionState,
    header: string,
    more: Partial<ListColumn<Row>> = {},
  ): ListColumn<Row> => ({
    name: state,
    header,
    align: 'end',
    ...more,
    cell: of(({ listener, ...row }) =>
      listener ? (
        <Count
          {...(state === 'skipped' && { detail: skipText(listener.skip_reasons.slice(0, shownReasons)) })}
          label={header}
          value={listener.numbers[state] + (state === 'sent' ? listener.numbers.done : 0)}
          onOpen={() =>
            onOpen({
              kind: 'reactions',
              name: words.nameOf({ listener, ...row }),
              of: { listener_id: listener.id },
              // What is no email is done, not sent.
              state: state === 'sent' && row.event.action !== 'send_email' ? 'done' : state,
            })
          }
        />
      ) : (
        <Nothing />
      ),
    ),
  });
  return [
    nameColumn<Row>({
      header: t('columns.when'),
      width: 190,
      cell: (row) =>
        isConnection(row) ? (
          <Beginning connection={row} words={words} onOpen={onOpen} />
        ) : (
          <LinkAnchor
            c="inherit"
            to="/o/$orgId/events"
            params={{ orgId }}
            search={{ campaign: row.campaign.id }}
          >
            {row.campaign.name}
            <QuietText span> · {row.brand.name}</QuietText>
          </LinkAnchor>
        ),
    }),
    { name: 'then', header: t('columns.reaction'), width: 190, cell: of((row) => <Then connection={row} />) },
    {
      name: 'after',
      header: t('columns.after'),
      width: 100,
      cell: of(({ listener }) => (listener ? words.sayDelay(listener.delay) : <Nothing />)),
    },
    {
      name: 'limits',
      header: t('columns.limits'),
      hide: 4,
      width: 260,
      cell: of((row) => <QuietText span>{words.limitsOf(row).join(' · ')}</QuietText>),
    },
    { ...statusColumn<Row>(t('words.status'), () => ''), cell: of((row) => <Switched connection={row} />) },
    count('waiting', t('columns.waiting')),
    {
      name: 'next',
      header: t('columns.next'),
      hide: 3,
      cell: of(({ listener }) =>
        listener?.next_due_at ? <Time at={listener.next_due_at} as="dateTime" /> : <Nothing />,
      ),
    },
    count('sent', t('columns.done')),
    count('skipped', t('columns.skipped'), { hide: 2 }),
    count('cancelled', t('columns.cancelled'), { hide: 1 }),
  ];
}

interface CellProps {
  connection: Connection;
}

/** The event; opens the connection, or for those who may not change it, its reactions. */
function Beginning({
  connection,
  words,
  onOpen,
}: CellProps & { words: ReturnType<typeof useGraphWords>; onOpen: (opened: OpenedGraph) => void }) {
  const { can } = useOrganization();
  const { event, listener } = connection;
  const owner = list.ownerOf!(connection, {});
  const mayChange = can('update', 'Touchpoint', owner) && can('send', 'Touchpoint', owner);
  const name = words.nameOf(connection);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        ta="start"
        className="row-button break"
        onClick={() =>
          onOpen(
            mayChange
              ? { kind: 'edit', connection }
              : {
                  kind: 'reactions',
                  name,
                  of: listener
                    ? { listener_id: listener.id }
                    : { touchpoint_id: event.notifier_touchpoint_id ?? '' },
                },
          )
        }
      >
        {words.sourceOf(event)}
      </Anchor>
      <QuietText span display="block" className="break">
        {words.eventOf(event).join(' · ')}
      </QuietText>
    </>
  );
}

function Then({ connection: { event, listener } }: CellProps) {
  const { t } = useTranslation('eventGraph');
  const { orgId } = useOrganization();
  if (!listener) return <QuietText span>{t('nothingReacts')}</QuietText>;
  return (
    <Group gap={6}>
      <span className="break">
        {t(`action.${event.action}`)}{' '}
        <LinkAnchor
          to="/o/$orgId/touchpoints/$touchpointId"
          params={{ orgId, touchpointId: listener.listener_touchpoint_id }}
        >
          {listener.listener_name}
        </LinkAnchor>
      </span>
      {listener.listener_status !== 'active' && <StatusBadge status={listener.listener_status} />}
    </Group>
  );
}

const Switched = ({ connection: { event } }: CellProps) => (
  <StatusBadge status={event.is_active ? 'active' : 'inactive'} />
);

interface CountProps {
  label: string;
  value: number;
  /** Below the number. */
  detail?: string;
  onOpen: () => void;
}

function Count({ label, value, detail, onOpen }: CountProps) {
  const format = useFormat();
  if (value === 0)
    return (
      <Text span inherit c="dimmed">
        {format.number(0)}
      </Text>
    );
  return (
    <>
      <Anchor
        component="button"
        type="button"
        aria-label={`${label}: ${format.number(value)}`}
        onClick={onOpen}
      >
        {format.number(value)}
      </Anchor>
      {detail && (
        <FinePrint span display="block">
          {detail}
        </FinePrint>
      )}
    </>
  );
}
