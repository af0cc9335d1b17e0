import { Button, Group, Select, Text } from '@mantine/core';
import type { AuditEntry } from '@reachout/contract/members.ts';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { checked, compact, readChoice, readListSearch, type Change } from '#web/platform/list-search.ts';
import { auditGroups } from '#web/identity/audit-log/audit-action.ts';
import { AuditDetails } from '#web/identity/audit-log/audit-details.tsx';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { NoMatch } from '#web/ui/states.tsx';

/** Days back from today, as they stand in the address. */
const periods = ['1', '7', '30', '90'] as const;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const readSearch = (raw: Record<string, unknown>) =>
  compact({
    ...readListSearch(raw, []),
    user: typeof raw['user'] === 'string' && uuid.test(raw['user']) ? raw['user'] : undefined,
    action: readChoice(raw['action'], auditGroups),
    days: readChoice(String(raw['days']), periods),
  });
type Search = ReturnType<typeof readSearch>;

export const Route = createFileRoute('/o/$orgId/settings/audit-log')({
  validateSearch: checked(readSearch),
  component: Page,
});

const pageSize = 50;

/** The filters as list and export take them. A period begins with a day of the reader's calendar. */
function filtersOf({ search, user, action, days }: Search) {
  const start = new Date();
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - Number(days ?? 0) + 1);
  return compact({
    search,
    user_id: user,
    action,
    from: days === undefined ? undefined : start.toISOString(),
  });
}

function Page() {
  const { t } = useTranslation('settings');
  const { orgId } = useOrganization();
  const filters = new URLSearchParams(filtersOf(Route.useSearch()));
  return (
    <SettingsPage
      section="audit-log"
      primary={
        <Button
          component="a"
          variant="default"
          href={`/api/organizations/${orgId}/audit_log/export?${filters.toString()}`}
          download
          leftSection={<IconDownload size={16} stroke={1.75} />}
        >
          {t('audit.export')}
        </Button>
      }
    >
      <AuditLog />
    </SettingsPage>
  );
}

function AuditLog() {
  const { t } = useTranslation(['settings', 'common']);
  const format = useFormat();
  const { api, orgId, can } = useOrganization();
  const filters = Route.useSearch();
  const { search, user, action, days, page = 1 } = filters;
  const navigate = Route.useNavigate();
  const go = (change: Change<Search>) =>
    navigate({ search: (old) => compact({ ...old, page: undefined, ...change }) });
  const members = useQuery({
    ...api.members.list.queryOptions({ input: { id: orgId, page_size: 500 } }),
    enabled: can('read', 'Member'),
  });
  const query = useQuery(
    api.auditLog.list.queryOptions({
      input: { id: orgId, ...filtersOf(filters), page: page - 1, page_size: pageSize },
      placeholderData: keepPreviousData,
    }),
  );
  const filtered = [search, user, action, days].some((filter) => filter !== undefined);
  const columns: Column<AuditEntry>[] = [
    {
      key: 'when',
      header: t('audit.when'),
      cell: (entry) => (
        <time className="one-line" dateTime={entry.at}>
          {format.dateTime(entry.at)}
        </time>
      ),
    },
    { key: 'who', header: t('audit.who'), cell: (entry) => <Who entry={entry} /> },
    { key: 'what', header: t('audit.what'), cell: (entry) => <AuditDetails entry={entry} /> },
    {
      key: 'record',
      header: t('audit.record'),
      width: 220,
      cell: (entry) => <span className="break">{entry.record_name ?? t('common:none')}</span>,
    },
    { key: 'from', header: t('audit.from'), cell: (entry) => entry.network ?? t('common:none') },
  ];
  return (
    <>
      <Group mb="md">
        <SearchField
          label={t('audit.search')}
          value={search ?? ''}
          onSearch={(text) => void go({ search: text || undefined })}
        />
        {can('read', 'Member') && (
          <Select
            clearable
            searchable
            aria-label={t('audit.who')}
            placeholder={t('audit.anyone')}
            value={user ?? null}
            data={(members.data?.items ?? []).map((member) => ({
              value: member.user_id,
              label: member.full_name,
            }))}
            onChange={(next) => void go({ user: next ?? undefined })}
          />
        )}
        <Select
          clearable
          aria-label={t('audit.what')}
          placeholder={t('audit.anything')}
          value={action ?? null}
          data={auditGroups.map((group) => ({
            value: group,
            label: t(`audit.groups.${group.replace('.', '') as 'clients'}`),
          }))}
          onChange={(next) => void go({ action: readChoice(next, auditGroups) })}
        />
        <Select
          clearable
          aria-label={t('audit.when')}
          placeholder={t('audit.anytime')}
          value={days ?? null}
          data={periods.map((value) => ({ value, label: t('audit.lastDays', { count: Number(value) }) }))}
          onChange={(next) => void go({ days: readChoice(next, periods) })}
        />
        <ResultCount count={query.data?.count ?? 0} active={filtered && query.isSuccess} />
      </Group>
      <AsyncRegion query={query} what={t('audit.list')}>
        {({ items, count }) =>
          count === 0 ? (
            <NoMatch text={t('audit.noMatch')} onClear={() => void navigate({ search: {} })} />
          ) : (
            <>
              <DataTable
                label={t('sections.audit-log')}
                columns={columns}
                rows={items}
                rowKey={(entry) => entry.id}
                busy={query.isPlaceholderData}
              />
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

function Who({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('settings');
  return (
    <>
      {entry.user?.full_name ??
        // The token was enough to decline; it takes no account.
        t(entry.action === 'invitations.decline' ? 'audit.invited' : 'audit.nobody')}
      {entry.api_key && (
        <Text size="xs" c="dimmed">
          {t('audit.byKey', { name: entry.api_key.name })}
        </Text>
      )}
    </>
  );
}
