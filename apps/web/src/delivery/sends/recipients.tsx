import { Button, NativeSelect, Text, Title } from '@mantine/core';
import type { Recipient, Send } from '@reachout/contract/sends.ts';
import { reactions, recipientFilters, recipientStates } from '@reachout/contract/statuses.ts';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { contactCollection } from '#web/content/collections/contact-search.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { readChoice } from '#web/platform/list-search.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useSendErrorText } from '#web/ui/send-error-text.ts';
import { recipientFilterOf, recipientList, recipientsQuery, type RecipientSearch } from './send-queries.ts';

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
  const title = isOnRequest ? t('delivery:onRequest.messages') : t('recipients');
  const change = useChangeSearch<RecipientSearch>();
  const scope = useOrganization();
  const query = useQuery({
    ...recipientsQuery(scope, sendId, search),
    // A search reads all addresses of the send, so it is not repeated.
    refetchInterval: live && search.search === undefined && 4_000,
  });
  const columns = useColumns(query.data?.collection ?? null);
  return (
    <section aria-labelledby="recipients">
      <Title order={2} size="h3" mb="sm" id="recipients">
        {title}
      </Title>
      <ListPage
        query={query}
        what={title}
        searchLabel={t('search')}
        filters={
          <>
            <NativeSelect
              aria-label={t('state')}
              value={search.state ?? ''}
              data={[
                { value: '', label: t('anyState') },
                { value: 'not_sent', label: t('allButSent') },
                ...recipientStates.map((value) => ({ value, label: t(`common:status.${value}`) })),
              ]}
              onChange={(event) => change({ state: readChoice(event.currentTarget.value, recipientFilters) })}
            />
            {scope.can('read', 'Statistics') && <ReactionSelect search={search} />}
          </>
        }
        filtered={[search.state, search.reaction, search.link].some((filter) => filter !== undefined)}
        actions={<Export sendId={sendId} search={search} />}
        noResults={t('noResults')}
        empty={<Text c="dimmed">{isOnRequest ? t('delivery:onRequest.noMessages') : t('empty')}</Text>}
        list={recipientList}
      >
        {(table) => (
          <DataTable {...table} label={title} columns={columns} rowKey={({ contact_id }) => contact_id} />
        )}
      </ListPage>
    </section>
  );
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

/** Exports the recipients matching the list's filters, from all pages, with times of opens and clicks. */
function Export({ sendId, search }: { sendId: string; search: RecipientSearch }) {
  const { t } = useTranslation('sendPage');
  const scope = useOrganization();
  if (!scope.can('read', 'Content') || !scope.can('read', 'Statistics')) return null;
  const filter = new URLSearchParams(
    Object.entries(recipientFilterOf(scope, search)).map(([name, value]) => [name, String(value)]),
  );
  return (
    <Button
      component="a"
      variant="default"
      href={`/api/sends/${sendId}/deliveries/export?${filter.toString()}`}
      download
      leftSection={<IconDownload size={16} stroke={1.75} />}
    >
      {t('export')}
    </Button>
  );
}

/** @param collection  of the contacts; null if the recipients are none */
function useColumns(collection: string | null): Column<Recipient>[] {
  const { t } = useTranslation(['sendPage', 'common', 'audiences']);
  const format = useFormat();
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
  return [
    { header: t('address'), cell: contact },
    { header: t('state'), cell: ({ state }) => <StatusBadge status={state} /> },
    { header: t('attempts'), align: 'end', cell: ({ attempts }) => format.number(attempts) },
    {
      header: t('details'),
      cell: ({ reply, error, exclusion_reason }) =>
        exclusion_reason !== null
          ? t(`audiences:breakdown.reason.${exclusion_reason}`)
          : error === null
            ? (reply ?? t('common:none'))
            : errorText(error),
    },
    {
      header: t('at'),
      cell: ({ at }) => <span className="one-line">{at ? format.dateTime(at) : t('common:none')}</span>,
    },
  ];
}
