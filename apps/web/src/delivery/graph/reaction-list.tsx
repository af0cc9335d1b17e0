import { Drawer, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { Reaction } from '@reachout/contract/event-graph.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { reactionStates, type ReactionState } from '@reachout/contract/rules/event-graph.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { contactCollection } from '#web/content/collections/contact-search.ts';
import { timeColumn } from '#web/identity/lists/columns.tsx';
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
import { useCauseText, useReasonText } from './graph-words.ts';

export interface OpenedReactions {
  /** What they are reactions of. */
  name: string;
  of: ReactionsOf;
  state?: ReactionState | undefined;
  /** Where the touchpoint can be opened. */
  link?: ReactNode;
}

const pageSize = 20;

/** Who waits for a connection or a touchpoint, and what became of the others. */
export function ReactionsDrawer({
  name,
  of,
  link,
  onClose,
  ...first
}: OpenedReactions & { onClose: () => void }) {
  const { t } = useTranslation('eventGraph');
  useFocusBack();
  const [state, setState] = useState(first.state);
  const [page, setPage] = useState(1);
  const query = useQuery({
    ...reactionsQuery(useOrganization(), of, {
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
            { value: '', label: t('reactions.any') },
            ...reactionStates.map((value) => ({ value, label: t(`state.${value}`) })),
          ]}
          onChange={(event) => {
            setState(readChoice(event.currentTarget.value, reactionStates));
            setPage(1);
          }}
        />
        {link}
      </Group>
      <AsyncRegion query={query} what={t('reactions.title')}>
        {({ items, count }) =>
          items.length === 0 ? (
            <QuietText>{t('reactions.none')}</QuietText>
          ) : (
            <>
              <ReactionTable reactions={items} label={t('reactions.title')} />
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

interface TableProps {
  reactions: readonly Reaction[];
  label: string;
  /** On the page of the contact: what it gets, instead of who. */
  isOfContact?: boolean;
}

export function ReactionTable({ reactions, label, isOfContact = false }: TableProps) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const causeText = useCauseText();
  const contactName = useContactNames(isOfContact ? [] : reactions);
  const nameOf = (reaction: Reaction) =>
    isOfContact ? (reaction.touchpoint_name ?? t('reactions.gone')) : contactName(reaction);
  const columns: Column<Reaction>[] = [
    isOfContact
      ? { header: t('words.touchpoint'), cell: (row) => <WhatItGets reaction={row} /> }
      : {
          header: t('columns.contact'),
          cell: (row) => <ReactionContact reaction={row} name={nameOf(row)} />,
        },
    { header: t('columns.cause'), cell: (row) => <span className="break">{causeText(row.cause)}</span> },
    timeColumn<Reaction>('due', t('reactions.due'), ({ due_at, ended_at }) => ended_at ?? due_at, {
      as: 'dateTime',
      none: t('reactions.whileOff'),
    }),
    ...(isOfContact
      ? []
      : [{ header: t('words.status'), cell: (row: Reaction) => <ReactionStateBadge reaction={row} /> }]),
  ];
  return (
    <RecordTable
      records={recordLists.reactions}
      label={label}
      rows={reactions}
      nameOf={nameOf}
      columns={columns}
      shown={{
        cancel: {
          label: t('reactions.cancel'),
          button: (row) => t('reactions.cancelOne', { name: nameOf(row) }),
          done: t('reactions.cancelled'),
        },
      }}
    />
  );
}

export function ReactionContact({
  reaction: { collection, contact_id },
  name,
}: {
  reaction: Pick<Reaction, 'collection' | 'contact_id'>;
  name: string;
}) {
  const { orgId } = useOrganization();
  return (
    <LinkAnchor
      className="break"
      to="/o/$orgId/contacts/$contactId"
      params={{ orgId, contactId: contact_id }}
      search={collection === contactCollection ? {} : { collection }}
    >
      {name}
    </LinkAnchor>
  );
}

function WhatItGets({ reaction }: { reaction: Reaction }) {
  const { t } = useTranslation('eventGraph');
  const { orgId } = useOrganization();
  const { action, touchpoint_id: id, touchpoint_name: name } = reaction;
  return (
    <span className="break">
      {t(`action.${action}`)}{' '}
      {name === null ? (
        t('reactions.gone')
      ) : (
        <LinkAnchor to="/o/$orgId/touchpoints/$touchpointId" params={{ orgId, touchpointId: id }}>
          {name}
        </LinkAnchor>
      )}
    </span>
  );
}

const looks: Record<ReactionState, string> = {
  waiting: 'pending',
  sent: 'sent',
  done: 'completed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

/** What became of a reaction, and why. */
export function ReactionStateBadge({
  reaction: { state, reason },
}: {
  reaction: Pick<Reaction, 'state' | 'reason'>;
}) {
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
