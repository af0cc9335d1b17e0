import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { auditFilters, auditList, type AuditSearch } from '#web/identity/audit-log/audit-search.ts';
import { AuditFilters } from '#web/identity/audit-log/audit-filters.tsx';
import { AuditTable } from '#web/identity/audit-log/audit-table.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { ListPage } from '#web/ui/list-page.tsx';

const auditLogQuery = ({ api, orgId }: OrganizationContext, search: AuditSearch) =>
  api.auditLog.list.queryOptions({
    input: { id: orgId, ...auditFilters(search), ...auditList.input(search) },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/settings/audit-log')({
  ...auditList.route,
  loader: ({ context, deps }) =>
    context.preload((scope) => [scope.can('read', 'AuditLog') && auditLogQuery(scope, deps)]),
  component: Page,
});

function Page() {
  const { t } = useTranslation('settings');
  const { orgId } = useOrganization();
  const filters = new URLSearchParams(auditFilters(Route.useSearch()));
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
  const { t } = useTranslation('settings');
  const search = Route.useSearch();
  const { user, action, days } = search;
  const query = useQuery(auditLogQuery(useOrganization(), search));
  return (
    <ListPage
      query={query}
      what={t('audit.list')}
      searchLabel={t('audit.search')}
      filters={<AuditFilters search={search} />}
      filtered={[user, action, days].some((filter) => filter !== undefined)}
      noResults={t('audit.noMatch')}
      list={auditList}
    >
      {(table) => <AuditTable {...table} />}
    </ListPage>
  );
}
