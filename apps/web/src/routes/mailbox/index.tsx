import { Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { MailboxMessage } from '@reachout/contract/mailbox.ts';
import { IconInbox } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { lastOrganizationId } from '#web/identity/organizations/organization-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { compact, readSearchAndPage } from '#web/platform/list-search.ts';
import { authOptionsQuery } from '#web/identity/auth/auth-calls.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const pageSize = 20;
const refreshMs = 5_000;

export const Route = createFileRoute('/mailbox/')({
  validateSearch: readSearchAndPage,
  beforeLoad: async ({ context, location }) => {
    const options = await context.queryClient.ensureQueryData(authOptionsQuery).catch(() => undefined);
    if (options?.local_mailbox === true) return;
    // Elsewhere there is only the mailbox of campaigns, of the organization used last.
    await requireSession(context.queryClient, location.href);
    const { organizationsQuery } = await import('#web/identity/organizations/organizations.ts');
    const { items } = await context.queryClient.ensureQueryData(organizationsQuery);
    const last = items.find((organization) => organization.id === lastOrganizationId()) ?? items[0];
    throw last
      ? redirect({ to: '/o/$orgId/mailbox', params: { orgId: last.id } })
      : redirect({ to: '/organizations' });
  },
  component: SystemMailbox,
});

function SystemMailbox() {
  const { t } = useTranslation(['account', 'mailbox', 'common']);
  const format = useFormat();
  const { search, page = 1 } = Route.useSearch();
  const query = useQuery(
    api.systemMailbox.list.queryOptions({
      input: compact({ search, page: page - 1, page_size: pageSize }),
      placeholderData: keepPreviousData,
      refetchInterval: refreshMs,
      meta: { quiet: true },
    }),
  );
  useDocumentTitle(`${t('mailbox.title')} · ${t('common:product')}`);
  const columns: Column<MailboxMessage>[] = [
    {
      key: 'subject',
      header: t('mailbox:subject'),
      cell: (message) => (
        <LinkAnchor to="/mailbox/$messageId" params={{ messageId: message.id }}>
          {message.subject || t('mailbox:noSubject')}
        </LinkAnchor>
      ),
    },
    { key: 'recipient', header: t('mailbox:recipient'), cell: (message) => message.recipient },
    {
      key: 'received',
      header: t('mailbox:received'),
      cell: (message) => format.relative(message.received_at),
    },
  ];
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
      empty={
        <EmptyState icon={<IconInbox size={28} stroke={1.75} />} title={t('mailbox.emptyTitle')}>
          {t('mailbox.emptyBody')}
        </EmptyState>
      }
      pageSize={pageSize}
    >
      {(rows, table) => (
        <DataTable
          {...table}
          label={t('mailbox.title')}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
        />
      )}
    </ListPage>
  );
}
