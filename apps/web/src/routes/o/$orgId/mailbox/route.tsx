import { Alert, Button, Group } from '@mantine/core';
import type { MailboxMessage } from '@reachout/contract/mailbox.ts';
import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { ListBeside, useRoomBeside } from '#web/identity/account/list-beside.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { compact, defineList, readUuid, type SearchOf } from '#web/platform/list-search.ts';
import { roomBeside } from '#web/platform/room-beside.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { Time } from '#web/ui/time.tsx';
import { EmailText } from '#web/ui/email-text.tsx';
import { FinePrint } from '#web/ui/text.ts';

const list = defineList({
  pageSize: 20,
  isSearchable: true,
  filters: (raw) => compact({ send: readUuid(raw['send']) }),
});
type Search = SearchOf<typeof list>;

const refreshMs = 5_000;

const mailboxQuery = ({ api, orgId, clientId }: OrganizationContext, search: Search) =>
  api.mailbox.list.queryOptions({
    ...list.query(search, { organization_id: orgId, client_id: clientId, send_id: search.send }),
    refetchInterval: refreshMs,
    meta: { quiet: true },
  });

export const Route = createFileRoute('/o/$orgId/mailbox')({
  ...list.route,
  // A message that is opened on its own has no list beside it where there is no room.
  loader: ({ context, deps, params }) =>
    context.preload((scope) => [
      (!('messageId' in params) || matchMedia(roomBeside).matches) && mailboxQuery(scope, deps),
    ]),
  component: Mailbox,
});

function Mailbox() {
  const { t } = useTranslation('mailbox');
  const { messageId } = useParams({ strict: false });
  const { orgId } = useOrganization();
  const navigate = useNavigate();
  return (
    <ListBeside
      name="mailbox"
      label={t('words.mailbox')}
      min={280}
      max={560}
      initial={360}
      panel="list"
      list={<MessageList open={messageId} />}
      record={messageId === undefined ? undefined : <Outlet />}
      onClose={() =>
        void navigate({ to: '/o/$orgId/mailbox', params: { orgId }, search: true, resetScroll: false })
      }
    />
  );
}

/** @param open  the message that is shown beside the list */
function MessageList({ open }: { open: string | undefined }) {
  const { t } = useTranslation('mailbox');
  const search = Route.useSearch();
  const query = useQuery(mailboxQuery(useOrganization(), search));
  return (
    <RecordList
      query={query}
      list={list}
      header={() => (
        <>
          {open === undefined && <PageHeader title={t('words.mailbox')} note={t('intro')} />}
          {search.send && <OfOneSend />}
        </>
      )}
      texts="mailbox"
      icon={IconInbox}
      columns={useColumns(search, open)}
      filters={[{ names: ['send'], control: null }]}
    />
  );
}

/** Indicates that only the messages of one send are listed. */
function OfOneSend() {
  const { t } = useTranslation(['mailbox', 'common']);
  const change = useChangeSearch<Search>();
  return (
    <Alert color="gray" mb="md">
      <Group justify="space-between">
        {t('ofSend')}
        <Button size="xs" onClick={() => change({ send: undefined })}>
          {t('common:actions.clearFilters')}
        </Button>
      </Group>
    </Alert>
  );
}

function useColumns(search: Search, open: string | undefined): ListColumn<MailboxMessage>[] {
  const { t } = useTranslation('mailbox');
  const format = useFormat();
  const { orgId } = useOrganization();
  const hasRoom = useRoomBeside();
  const isBeside = open !== undefined;
  const subject = (message: MailboxMessage) => (
    <div aria-current={message.id === open ? 'true' : undefined}>
      <LinkAnchor
        to="/o/$orgId/mailbox/$messageId"
        params={{ orgId, messageId: message.id }}
        search={search}
        resetScroll={!hasRoom}
      >
        {message.subject || t('noSubject')}
      </LinkAnchor>
      {isBeside && (
        <FinePrint className="break">
          {message.recipient} · <Time at={message.received_at} />
        </FinePrint>
      )}
    </div>
  );
  const subjectColumn = { name: 'subject', header: t('words.subject'), cell: subject };
  if (isBeside) return [subjectColumn];
  return [
    subjectColumn,
    { name: 'to', header: t('words.to'), cell: (message) => <EmailText address={message.recipient} /> },
    timeColumn('received', t('received'), (message) => message.received_at),
    {
      name: 'size',
      header: t('words.size'),
      align: 'end',
      cell: (message) => format.size(message.size_bytes),
    },
  ];
}
