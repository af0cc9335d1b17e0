import { Alert, Button, Group } from '@mantine/core';
import type { MailboxMessage } from '@reachout/contract/mailbox.ts';
import { IconInbox } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, compact, readListSearch, type Change } from '#web/platform/list-search.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { FirstUse, NoMatch } from '#web/ui/states.tsx';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const readSearch = (raw: Record<string, unknown>) =>
  compact({
    ...readListSearch(raw, []),
    send: typeof raw['send'] === 'string' && uuid.test(raw['send']) ? raw['send'] : undefined,
  });
type Search = ReturnType<typeof readSearch>;

export const Route = createFileRoute('/o/$orgId/mailbox/')({
  validateSearch: checked(readSearch),
  component: Mailbox,
});

const pageSize = 20;
const refreshMs = 5_000;

function Mailbox() {
  const { t } = useTranslation(['mailbox', 'common']);
  const format = useFormat();
  const { api, orgId } = useOrganization();
  const { search, send, page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<Search>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const query = useQuery(
    api.mailbox.list.queryOptions({
      input: compact({ organization_id: orgId, search, send_id: send, page: page - 1, page_size: pageSize }),
      placeholderData: keepPreviousData,
      refetchInterval: refreshMs,
      meta: { quiet: true },
    }),
  );
  const filtered = search !== undefined || send !== undefined;
  const columns: Column<MailboxMessage>[] = [
    {
      key: 'subject',
      header: t('subject'),
      cell: (message) => (
        <LinkAnchor to="/o/$orgId/mailbox/$messageId" params={{ orgId, messageId: message.id }}>
          {message.subject || t('noSubject')}
        </LinkAnchor>
      ),
    },
    { key: 'recipient', header: t('recipient'), cell: (message) => message.recipient },
    { key: 'received', header: t('received'), cell: (message) => format.relative(message.received_at) },
    { key: 'size', header: t('size'), align: 'end', cell: (message) => format.size(message.size_bytes) },
  ];
  return (
    <>
      <PageHeader title={t('title')} note={t('intro')} />
      <AsyncRegion query={query} what={t('what')}>
        {({ items, count }) =>
          count === 0 && !filtered ? (
            <FirstUse icon={<IconInbox size={28} stroke={1.75} />} title={t('empty.title')}>
              {t('empty.body')}
            </FirstUse>
          ) : (
            <>
              <Group mb="md">
                <SearchField
                  label={t('search')}
                  value={search ?? ''}
                  onSearch={(text) => void go({ search: text || undefined, page: undefined })}
                />
                <ResultCount count={count} active={filtered} />
              </Group>
              {send && (
                <Alert color="gray" variant="light" mb="md">
                  <Group justify="space-between">
                    {t('ofSend')}
                    <Button
                      size="xs"
                      variant="default"
                      onClick={() => void go({ send: undefined, page: undefined })}
                    >
                      {t('common:actions.clearFilters')}
                    </Button>
                  </Group>
                </Alert>
              )}
              {count === 0 ? (
                <NoMatch text={t('noMatch')} onClear={() => void navigate({ search: {} })} />
              ) : (
                <DataTable
                  label={t('title')}
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
