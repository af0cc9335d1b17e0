import { Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { MailboxMessage } from '@reachout/contract/mailbox.ts';
import { IconInbox, IconKey } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
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
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Time } from '#web/ui/time.tsx';
import { EmailText } from '#web/ui/email-text.tsx';

const list = defineList({ pageSize: 20, isSearchable: true });
const refreshMs = 5_000;

const systemMailboxQuery = (of: Api, search: ListSearch) =>
  of.systemMailbox.list.queryOptions({
    input: list.input(search),
    placeholderData: keepPreviousData,
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
  const columns: Column<MailboxMessage>[] = [
    {
      header: t('mailbox:subject'),
      cell: (message) => (
        <LinkAnchor to="/mailbox/$messageId" params={{ messageId: message.id }}>
          {message.subject || t('mailbox:noSubject')}
        </LinkAnchor>
      ),
    },
    { header: t('mailbox:recipient'), cell: (message) => <EmailText address={message.recipient} /> },
    { header: t('mailbox:received'), cell: (message) => <Time at={message.received_at} /> },
  ];
  if (isProblem(query.error, 404))
    return (
      <EmptyState order={1} icon={IconKey} title={t('mailbox.lockedTitle')} text={t('mailbox.lockedBody')} />
    );
  return (
    <ListPage
      query={query}
      what={t('mailbox:what')}
      header={() => (
        <>
          <Title order={1} mb={4}>
            {t('mailbox.title')}
          </Title>
          <Text c="dimmed" mb="lg">
            {t('mailbox.intro')}
          </Text>
        </>
      )}
      searchLabel={t('mailbox:search')}
      noResults={t('mailbox:noMatch')}
      empty={<EmptyState icon={IconInbox} title={t('mailbox.emptyTitle')} text={t('mailbox.emptyBody')} />}
      list={list}
    >
      {(table) => <DataTable {...table} label={t('mailbox.title')} columns={columns} />}
    </ListPage>
  );
}
