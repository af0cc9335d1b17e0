import { Group, Text, Title } from '@mantine/core';
import type { MailboxMessage } from '@reachout/contract/mailbox.ts';
import { IconInbox } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { lastOrganizationId } from '#web/identity/organizations/scope.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, compact, readListSearch, type Change, type ListSearch } from '#web/platform/list-search.ts';
import { authOptionsQuery } from '#web/identity/auth/auth-calls.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { FirstUse, NoMatch } from '#web/ui/states.tsx';

export const Route = createFileRoute('/mailbox/')({
  validateSearch: checked<ListSearch>((raw) => readListSearch(raw, [])),
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

const pageSize = 20;
const refreshMs = 5_000;

function SystemMailbox() {
  const { t } = useTranslation(['me', 'mailbox', 'common']);
  const format = useFormat();
  const { search, page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<ListSearch>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const query = useQuery(
    api.systemMailbox.list.queryOptions({
      input: compact({ search, page: page - 1, page_size: pageSize }),
      placeholderData: keepPreviousData,
      refetchInterval: refreshMs,
      meta: { quiet: true },
    }),
  );
  useEffect(() => {
    document.title = `${t('mailbox.title')} · ${t('common:product')}`;
  }, [t]);
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
    <>
      <Title order={1} mb={4}>
        {t('mailbox.title')}
      </Title>
      <Text c="dimmed" mb="lg">
        {t('mailbox.intro')}
      </Text>
      <AsyncRegion query={query} what={t('mailbox:what')}>
        {({ items, count }) =>
          count === 0 && search === undefined ? (
            <FirstUse icon={<IconInbox size={28} stroke={1.75} />} title={t('mailbox.emptyTitle')}>
              {t('mailbox.emptyBody')}
            </FirstUse>
          ) : (
            <>
              <Group mb="md">
                <SearchField
                  label={t('mailbox:search')}
                  value={search ?? ''}
                  onSearch={(text) => void go({ search: text || undefined, page: undefined })}
                />
                <ResultCount count={count} active={search !== undefined} />
              </Group>
              {count === 0 ? (
                <NoMatch text={t('mailbox:noMatch')} onClear={() => void navigate({ search: {} })} />
              ) : (
                <DataTable
                  label={t('mailbox.title')}
                  columns={columns}
                  rows={items}
                  rowKey={(message) => message.id}
                  busy={query.isPlaceholderData}
                />
              )}
              <Pager
                page={page}
                pageSize={pageSize}
                total={count}
                onPage={(next) => void go({ page: next })}
              />
            </>
          )
        }
      </AsyncRegion>
    </>
  );
}
