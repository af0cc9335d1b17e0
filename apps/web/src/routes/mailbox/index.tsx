import { useDocumentTitle } from '@mantine/hooks';
import type { MailboxMessage } from '@reachout/contract/mailbox.ts';
import { IconInbox, IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type Api } from '#web/platform/api.ts';
import { lastOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { defineList, type ListSearch } from '#web/platform/list-search.ts';
import { preload } from '#web/platform/preload.ts';
import { isProblem } from '#web/platform/problem.ts';
import { authOptionsQuery } from '#web/identity/auth/auth-options.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { EmailText } from '#web/ui/email-text.tsx';
import { PlainHeader } from '#web/ui/plain-header.tsx';

const list = defineList({ pageSize: 20, isSearchable: true });
const refreshMs = 5_000;

const systemMailboxQuery = (of: Api, search: ListSearch) =>
  of.systemMailbox.list.queryOptions({
    ...list.query(search, {}),
    refetchInterval: refreshMs,
    meta: { quiet: true },
  });

export const Route = createFileRoute('/mailbox/')({
  ...list.route,
  beforeLoad: async ({ context, location }) => {
    const options = await context.queryClient.ensureQueryData(authOptionsQuery).catch(() => undefined);
    if (options !== undefined && options.local_mailbox !== null) return;
    // Otherwise there is only the mailbox for campaigns, of the organization used last.
    await requireSession(context.queryClient, location.href);
    const { organizationsQuery } = await import('#web/identity/organizations/organizations.ts');
    const { items } = await context.queryClient.ensureQueryData(organizationsQuery);
    const last = lastOrganization(items);
    throw last
      ? redirect({ to: '/o/$orgId/mailbox', params: { orgId: last.id } })
      : redirect({ to: '/organizations' });
  },
  loader: ({ deps }) =>
    preload(async () => [systemMailboxQuery((await import('#web/platform/api.ts')).api, deps)]),
  component: SystemMailbox,
});

function SystemMailbox() {
  const { t } = useTranslation(['account', 'mailbox', 'common']);
  const query = useQuery(systemMailboxQuery(api, Route.useSearch()));
  useDocumentTitle(`${t('mailbox.title')} · ${t('common:product')}`);
  const columns: ListColumn<MailboxMessage>[] = [
    {
      name: 'subject',
      header: t('words.subject'),
      cell: (message) => (
        <LinkAnchor to="/mailbox/$messageId" params={{ messageId: message.id }}>
          {message.subject || t('mailbox:noSubject')}
        </LinkAnchor>
      ),
    },
    { name: 'to', header: t('words.to'), cell: (message) => <EmailText address={message.recipient} /> },
    timeColumn('received', t('mailbox:received'), (message) => message.received_at),
  ];
  if (isProblem(query.error, 404))
    return (
      <EmptyState order={1} icon={IconKey} title={t('mailbox.lockedTitle')} text={t('mailbox.lockedBody')} />
    );
  return (
    <RecordList
      query={query}
      list={list}
      header={() => <PlainHeader title={t('mailbox.title')} intro={t('mailbox.intro')} />}
      texts="mailbox"
      label={t('mailbox.title')}
      icon={IconInbox}
      columns={columns}
      empty={{ title: t('mailbox.emptyTitle'), text: t('mailbox.emptyBody') }}
    />
  );
}
