import { Anchor, Group, Text } from '@mantine/core';
import { recordLists, type RecordList as RecordListOf } from '@reachout/contract/record-lists.ts';
import type { TouchpointEvent } from '@reachout/contract/event-graph.ts';
import { toConnections, type Connection } from '@reachout/contract/rules/connections.ts';
import type { ReactionState } from '@reachout/contract/rules/event-graph.ts';
import { IconSitemap } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { nameColumn, Nothing, statusColumn, timeColumn, wordsColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import type { OpenedGraph } from './graph-dialog.tsx';
import { useDoingText, useGraphWords, useSkipText } from './graph-words.ts';

/** A campaign as the heading of its connections. */
type CampaignRow = Pick<TouchpointEvent, 'id' | 'campaign' | 'brand'>;
type Row = Connection | CampaignRow;
const isConnection = (row: Row): row is Connection => 'event' in row;

/** One row for each campaign, followed by its connections, in the order of names. */
const toCampaignRows = (events: readonly TouchpointEvent[]): Row[] =>
  [...Map.groupBy(events, ({ campaign_id }) => campaign_id).values()]
    .toSorted(([one], [other]) => one!.campaign.name.localeCompare(other!.campaign.name))
    .flatMap((some) => {
      const { campaign_id: id, campaign, brand } = some[0]!;
      return [{ id, campaign, brand }, ...toConnections(some)];
    });

const { touchpointEvents: list } = recordLists;

/** Of the reasons why reactions were skipped. */
const shownReasons = 2;

interface Props {
  query: UseQueryResult<{ items: TouchpointEvent[] }>;
  onOpen: (opened: OpenedGraph) => void;
  /** Below the names of their campaigns. */
  isGrouped?: boolean;
  empty: { text: string; actions?: ReactNode };
}

/** All that a graph says, as a table: when what happens, who does what and after which time, and how many wait. */
export function EventTable({ query, onOpen, isGrouped = false, empty }: Props) {
  const { t } = useTranslation('eventGraph');
  const words = useGraphWords(query.data?.items ?? []);
  const openedAs = (kind: 'edit' | 'switch' | 'remove', changes: Partial<Connection> = {}) => ({
    run: (row: Row) => isConnection(row) && onOpen({ kind, connection: { ...row, ...changes } }),
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
      columns={useColumns(words, onOpen) as ListColumn<Row>[]}
      nameOf={(row) => (isConnection(row) ? words.nameOf(row) : row.campaign.name)}
      levelOf={isGrouped ? (row) => (isConnection(row) ? 'child' : 'heading') : undefined}
      shown={{
        edit: openedAs('edit'),
        addListener: { ...openedAs('edit', { listener: null }), label: t('addListener') },
        toggle: {
          ...openedAs('switch'),
          label: (row) =>
            t(isConnection(row) && row.event.is_active ? 'switch_off.label' : 'switch_on.label'),
        },
        remove: { ...openedAs('remove'), label: t('delete.label'), isDestructive: true },
      }}
    />
  );
}

/** Of connections; a heading has the first alone. */
function useColumns(
  words: ReturnType<typeof useGraphWords>,
  onOpen: (opened: OpenedGraph) => void,
): ListColumn<Connection>[] {
  const { t } = useTranslation(['eventGraph', 'common']);
  const skipText = useSkipText();
  const count = (
    state: ReactionState,
    more: Partial<ListColumn<Connection>> = {},
  ): ListColumn<Connection> => ({
    name: state,
    header: t(`state.${state}`),
    align: 'end',
    ...more,
    cell: (connection) => (
      <Count
        connection={connection}
        state={state}
        label={t(`state.${state}`)}
        onOpen={(shown) =>
          onOpen({
            kind: 'reactions',
            name: words.nameOf(connection),
            of: words.reactionsOf(connection),
            ...shown,
          })
        }
      >
        {state === 'skipped' && skipText(connection.listener?.skip_reasons.slice(0, shownReasons) ?? [])}
      </Count>
    ),
  });
  return [
    nameColumn<Connection>({
      header: t('columns.when'),
      width: 190,
      cell: (row: Row) =>
        isConnection(row) ? (
          <>
            <Anchor
              component="button"
              type="button"
              ta="start"
              className="row-button break"
              onClick={() => onOpen({ kind: 'edit', connection: row })}
            >
              {words.sourceOf(row.event)}
            </Anchor>
            <QuietText span display="block" className="break">
              {words.eventOf(row.event).join(' · ')}
            </QuietText>
          </>
        ) : (
          <CampaignName {...row} />
        ),
    }),
    { name: 'then', header: t('columns.reaction'), width: 190, cell: (row) => <Then {...row} /> },
    wordsColumn<Connection>(
      'after',
      t('columns.after'),
      ({ listener }) => (listener ? words.sayDelay(listener.delay) : t('common:none')),
      { width: 100 },
    ),
    {
      name: 'limits',
      header: t('columns.limits'),
      hide: 4,
      width: 260,
      cell: (row) => <QuietText span>{words.limitsOf(row).join(' · ')}</QuietText>,
    },
    statusColumn(t('words.status'), ({ event }) => (event.is_active ? 'active' : 'inactive')),
    count('waiting'),
    timeColumn('next', t('columns.next'), ({ listener }) => listener?.next_due_at ?? null, {
      as: 'dateTime',
      hide: 3,
    }),
    count('sent'),
    count('skipped', { hide: 2 }),
    count('cancelled', { hide: 1 }),
  ];
}

function CampaignName({ campaign, brand }: CampaignRow) {
  const { orgId } = useOrganization();
  return (
    <LinkAnchor c="inherit" to="/o/$orgId/events" params={{ orgId }} search={{ campaign: campaign.id }}>
      {campaign.name}
      <QuietText span> · {brand.name}</QuietText>
    </LinkAnchor>
  );
}

function Then({ event, listener }: Connection) {
  const { t } = useTranslation('eventGraph');
  const { orgId } = useOrganization();
  const doing = useDoingText();
  if (!listener) return <QuietText span>{t('nothingReacts')}</QuietText>;
  const { listener_touchpoint_id: touchpointId, listener_name, listener_status } = listener;
  return (
    <Group gap={6}>
      <span className="break">
        {doing(event.action)}{' '}
        <LinkAnchor to="/o/$orgId/touchpoints/$touchpointId" params={{ orgId, touchpointId }}>
          {listener_name}
        </LinkAnchor>
      </span>
      {listener_status !== 'active' && <StatusBadge status={listener_status} />}
    </Group>
  );
}

interface CountProps {
  connection: Connection;
  state: ReactionState;
  label: string;
  /** Below the number. */
  children: ReactNode;
  onOpen: (shown: { state: ReactionState }) => void;
}

function Count({ connection: { event, listener }, state, label, children, onOpen }: CountProps) {
  const format = useFormat();
  if (!listener) return <Nothing />;
  const { [state]: value, done } = listener.numbers;
  const isDone = state === 'sent' && event.action !== 'send_email';
  const shown = format.number(state === 'sent' ? value + done : value);
  if (shown === format.number(0))
    return (
      <Text span inherit c="dimmed">
        {shown}
      </Text>
    );
  return (
    <>
      <Anchor
        component="button"
        type="button"
        aria-label={`${label}: ${shown}`}
        // What is no email is done, not sent.
        onClick={() => onOpen({ state: isDone ? 'done' : state })}
      >
        {shown}
      </Anchor>
      {children && (
        <FinePrint span display="block">
          {children}
        </FinePrint>
      )}
    </>
  );
}
