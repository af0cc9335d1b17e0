import { NativeSelect } from '@mantine/core';
import type { Recipient, Send } from '@reachout/contract/sends.ts';
import { reactions, recipientStates } from '@reachout/contract/statuses.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { contactCollection } from '#web/content/collections/contact-search.ts';
import { loadEventGraphTexts } from '#web/i18n/i18n.ts';
import { useFormat } from '#web/i18n/format.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { countColumn, statusColumn, textColumn, timeColumn } from '#web/identity/lists/columns.tsx';
import { ExportLink } from '#web/identity/lists/export-link.tsx';
import type { ListFilter, OtherFilter } from '#web/identity/lists/list-filters.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { readChoice } from '#web/platform/list-search.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { useSendErrorText } from '#web/ui/send-error-text.ts';
import { FinePrint, SectionTitle } from '#web/ui/text.ts';
import { recipientFilterOf, recipientList, recipientsQuery, type RecipientSearch } from './send-queries.ts';

const MessageCause = lazyPart(() => import('#web/delivery/graph/message-cause.tsx'), {
  texts: loadEventGraphTexts,
});

interface Props {
  sendId: string;
  kind: Send['kind'];
  search: RecipientSearch;
  /** While a send is in progress, its recipients are refetched periodically. */
  live: boolean;
}

export function Recipients({ sendId, kind, search, live }: Props) {
  const { t } = useTranslation(['sendPage', 'common', 'delivery']);
  const isOnRequest = kind === 'triggered';
  const title = isOnRequest ? t('delivery:onRequest.messages') : t('words.recipients');
  const scope = useOrganization();
  const query = useQuery({
    ...recipientsQuery(scope, sendId, search),
    // A search reads all addresses of the send, so it is not repeated.
    refetchInterval: live && search.search === undefined && 4_000,
  });
  return (
    <section aria-labelledby="recipients">
      <SectionTitle mb="sm" id="recipients">
        {title}
      </SectionTitle>
      <RecordList
        query={query}
        list={recipientList}
        header={false}
        texts="sendPage"
        label={title}
        columns={useColumns(query.data)}
        keyOf={({ contact_id }) => contact_id}
        filters={useFilters(search)}
        actions={
          scope.can('read', 'Content') &&
          scope.can('read', 'Statistics') && (
            // With times of opens and clicks.
            <ExportLink
              path={`sends/${sendId}/deliveries/export`}
              filters={recipientFilterOf(scope, search)}
            />
          )
        }
        empty={{ text: isOnRequest ? t('delivery:onRequest.noMessages') : t('empty') }}
      />
    </section>
  );
}

function useFilters(search: RecipientSearch): (ListFilter | OtherFilter)[] {
  const { t } = useTranslation(['sendPage', 'common']);
  const { can } = useOrganization();
  return [
    {
      name: 'state',
      label: t('words.status'),
      look: 'native',
      any: t('words.anyStatus'),
      options: [
        { value: 'not_sent', label: t('allButSent') },
        ...recipientStates.map((value) => ({ value, label: t(`common:status.${value}`) })),
      ],
    },
    {
      names: ['reaction', 'link'],
      control: can('read', 'Statistics') && <ReactionSelect search={search} />,
    },
  ];
}

/** What recipients did. A link is only offered if the statistics lead here with it. */
function ReactionSelect({ search: { reaction, link } }: { search: RecipientSearch }) {
  const { t } = useTranslation('sendPage');
  const format = useFormat();
  const change = useChangeSearch<RecipientSearch>();
  return (
    <NativeSelect
      aria-label={t('reaction.label')}
      value={link === undefined ? (reaction ?? '') : 'link'}
      data={[
        { value: '', label: t('reaction.any') },
        ...reactions.map((value) => ({ value, label: t(`reaction.${value}`) })),
        ...(link === undefined
          ? []
          : [{ value: 'link', label: t('reaction.link', { number: format.number(link + 1) }) }]),
      ]}
      onChange={(event) =>
        change({ reaction: readChoice(event.currentTarget.value, reactions), link: undefined })
      }
    />
  );
}

/** @param page  `collection` is that of the contacts; null if the recipients are none */
function useColumns(
  { collection, items }: { collection: string | null; items: readonly Recipient[] } = {
    collection: null,
    items: [],
  },
): ListColumn<Recipient>[] {
  const { t } = useTranslation(['sendPage', 'common', 'audiences']);
  const errorText = useSendErrorText();
  const { orgId, can } = useOrganization();
  const contact = ({ address, contact_id }: Recipient) => {
    // Also the address was removed.
    if (contact_id === '') return t('erased');
    const name = address ?? t('contact', { id: contact_id });
    if (collection === null || !can('read', 'Content')) return name;
    return (
      <LinkAnchor
        to="/o/$orgId/contacts/$contactId"
        params={{ orgId, contactId: contact_id }}
        search={collection === contactCollection ? {} : { collection }}
      >
        {name}
      </LinkAnchor>
    );
  };
  // One for all needs no column.
  const hasSeveral =
    new Set(items.filter(({ attempts }) => attempts > 0).map(({ transport }) => transport)).size > 1;
  return [
    { name: 'address', header: t('words.emailAddress'), cell: contact },
    statusColumn(t('words.status'), ({ state }) => state),
    countColumn('attempts', t('words.attempts'), ({ attempts }) => attempts),
    {
      name: 'details',
      header: t('details'),
      cell: ({ reply, error, exclusion_reason, cause, transport }) => (
        <>
          {exclusion_reason !== null ? (
            t(`audiences:breakdown.reason.${exclusion_reason}`)
          ) : error !== null ? (
            errorText(error)
          ) : cause === null ? (
            (reply ?? t('common:none'))
          ) : (
            <MessageCause cause={cause} />
          )}
          {transport !== null && !hasSeveral && <FinePrint>{t('by', { transport })}</FinePrint>}
        </>
      ),
    },
    ...(hasSeveral
      ? [textColumn<Recipient>('transport', t('words.transport'), ({ transport }) => transport)]
      : []),
    timeColumn('time', t('words.time'), ({ at }) => at, { as: 'dateTime' }),
  ];
}
