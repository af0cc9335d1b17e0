import { Drawer, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { Reaction, Rehearsal } from '@reachout/contract/event-graph.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { reactionStates, type ReactionState } from '@reachout/contract/rules/event-graph.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { contactCollection } from '#web/content/collections/contact-search.ts';
import { timeColumn, wordsColumn } from '#web/identity/lists/columns.tsx';
import { RecordTable } from '#web/identity/lists/record-table.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { readChoice } from '#web/platform/list-search.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import type { Column } from '#web/ui/data-table.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { useContactNames, reactionsQuery, type ReactionsOf } from './graph-queries.ts';
import { useCauseText, useDoingText, useReasonText } from './graph-words.ts';

export interface OpenedReactions {
  /** What they are reactions of. */
  name: string;
  of: ReactionsOf;
  state?: ReactionState | undefined;
}

const pageSize = 20;

/** Who waits for a connection or a touchpoint, and what became of the others. */
export function ReactionsDrawer({ name, of, onClose, ...first }: OpenedReactions & { onClose: () => void }) {
  const { t } = useTranslation('eventGraph');
  const scope = useOrganization();
  useFocusBack();
  const [state, setState] = useState(first.state);
  const [page, setPage] = useState(1);
  const query = useQuery({
    ...reactionsQuery(scope, of, {
      page: page - 1,
      page_size: pageSize,
      ...(state && { state }),
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      size={880}
      title={t('reactions.of', { name })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Group justify="space-between" mb="md">
        <NativeSelect
          aria-label={t('words.status')}
          value={state ?? ''}
          data={[
            { value: '', label: t('words.anyStatus') },
            ...reactionStates.map((value) => ({ value, label: t(`state.${value}`) })),
          ]}
          onChange={(event) => {
            setState(readChoice(event.currentTarget.value, reactionStates));
            setPage(1);
          }}
        />
        {'touchpoint_id' in of && (
          <LinkAnchor
            to="/o/$orgId/touchpoints/$touchpointId"
            params={{ orgId: scope.orgId, touchpointId: of.touchpoint_id }}
          >
            {t('words.touchpoint')}
          </LinkAnchor>
        )}
      </Group>
      <AsyncRegion query={query} what={t('reactions.title')}>
        {({ items, count }) =>
          items.length === 0 ? (
            <QuietText>{t('words.none')}</QuietText>
          ) : (
            <>
              <ReactionTable
                reactions={items}
                label={t('reactions.title')}
                columns={['contact', 'cause', 'due', 'state']}
              />
              <Pager
                page={page}
                pageSize={pageSize}
                shown={items.length}
                total={count}
                hasMore={false}
                onPage={setPage}
              />
            </>
          )
        }
      </AsyncRegion>
    </Drawer>
  );
}

/** A reaction that there is, or would have been. */
export type ShownReaction = Rehearsal['items'][number] & Partial<Pick<Reaction, 'ended_at'>>;

type ColumnName = 'contact' | 'cause' | 'reaction' | 'due' | 'state';

/** @returns columns of reactions, in this order; what is unique of a row is in the first */
export function useReactionColumns<Row extends ShownReaction>(
  rows: readonly Row[],
  names: readonly ColumnName[],
): { columns: Column<Row>[]; nameOf: (row: Row) => string } {
  const { t } = useTranslation(['eventGraph', 'common']);
  const { orgId } = useOrganization();
  const causeText = useCauseText();
  const doing = useDoingText();
  const contactName = useContactNames(names[0] === 'contact' ? rows : []);
  const touchpointName = (row: Row) => row.touchpoint_name ?? t('reactions.gone');
  const all: Record<ColumnName, Column<Row>> = {
    contact: {
      header: t('columns.contact'),
      cell: (row) =>
        row.collection === '' ? (
          row.contact_id
        ) : (
          <LinkAnchor
            className="break"
            to="/o/$orgId/contacts/$contactId"
            params={{ orgId, contactId: row.contact_id }}
            search={row.collection === contactCollection ? {} : { collection: row.collection }}
          >
            {contactName(row)}
          </LinkAnchor>
        ),
    },
    cause: wordsColumn<Row>('cause', t('columns.cause'), ({ cause }) => causeText(cause)),
    reaction: {
      header: t('columns.reaction'),
      cell: (row) => (
        <span className="break">
          {doing(row.action)}{' '}
          {row.touchpoint_name === null ? (
            touchpointName(row)
          ) : (
            <LinkAnchor
              to="/o/$orgId/touchpoints/$touchpointId"
              params={{ orgId, touchpointId: row.touchpoint_id }}
            >
              {row.touchpoint_name}
            </LinkAnchor>
          )}
        </span>
      ),
    },
    due: timeColumn<Row>('due', t('reactions.due'), ({ due_at, ended_at }) => ended_at ?? due_at, {
      as: 'dateTime',
      none: t('reactions.whileOff'),
    }),
    state: { header: t('words.status'), cell: (row) => <ReactionState reaction={row} /> },
  };
  return {
    columns: names.map((name) => all[name]),
    nameOf: names[0] === 'contact' ? contactName : touchpointName,
  };
}

interface TableProps {
  reactions: readonly Reaction[];
  label: string;
  columns: readonly ColumnName[];
}

export function ReactionTable({ reactions, label, columns }: TableProps) {
  const { t } = useTranslation('eventGraph');
  const shown = useReactionColumns(reactions, columns);
  return (
    <RecordTable
      records={recordLists.reactions}
      label={label}
      rows={reactions}
      {...shown}
      shown={{
        cancel: {
          label: t('actions.cancel'),
          button: (row) => t('reactions.cancelOne', { name: shown.nameOf(row) }),
          done: t('state.cancelled'),
        },
      }}
    />
  );
}

const looks: Record<ShownReaction['state'], string> = {
  waiting: 'pending',
  sent: 'sent',
  done: 'completed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

/** What became of a reaction, and why. */
function ReactionState({ reaction: { state, reason } }: { reaction: ShownReaction }) {
  const { t } = useTranslation('eventGraph');
  const reasonText = useReasonText();
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge status={looks[state]} label={t(`state.${state}`)} />
      {reason !== null && (
        <Text size="xs" className="break">
          {reasonText(reason)}
        </Text>
      )}
    </Stack>
  );
}
