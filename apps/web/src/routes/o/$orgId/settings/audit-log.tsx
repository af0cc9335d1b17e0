import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { auditFilters, auditList, type AuditSearch } from '#web/identity/audit-log/audit-search.ts';
import { useAuditColumns } from '#web/identity/audit-log/audit-columns.tsx';
import { useAuditFilters } from '#web/identity/audit-log/audit-filters.tsx';
import { ExportLink } from '#web/identity/lists/export-link.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';

const auditLogQuery = ({ api, orgId }: OrganizationContext, search: AuditSearch) =>
  api.auditLog.list.queryOptions(auditList.query(search, { id: orgId, ...auditFilters(search) }));

export const Route = createFileRoute('/o/$orgId/settings/audit-log')({
  ...auditList.route,
  loader: ({ context, deps }) =>
    context.preload((scope) => [scope.can('read', 'AuditLog') && auditLogQuery(scope, deps)]),
  component: Page,
});

function Page() {
  const { orgId } = useOrganization();
  return (
    <SettingsPage
      section="audit-log"
      primary={
        <ExportLink
          path={`organizations/${orgId}/audit_log/export`}
          filters={auditFilters(Route.useSearch())}
        />
      }
    >
      <AuditLog />
    </SettingsPage>
  );
}

function AuditLog() {
  const { t } = useTranslation('settings');
  return (
    <RecordList
      query={useQuery(auditLogQuery(useOrganization(), Route.useSearch()))}
      list={auditList}
      header={false}
      texts="settings:audit"
      label={t('sections.audit-log')}
      columns={useAuditColumns()}
      filters={useAuditFilters()}
    />
  );
}
