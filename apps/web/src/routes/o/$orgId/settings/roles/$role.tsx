import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PermittedPage } from '#web/identity/organizations/permitted-page.tsx';
import { settingsPermissions } from '#web/shell/settings-permissions.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { RoleEditor } from '#web/identity/roles/role-editor.tsx';
import { rolesQuery } from '#web/identity/roles/roles-query.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { NotFoundState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/settings/roles/$role')({
  loader: ({ context }) =>
    context.preload(({ api, orgId, can }) => [can('read', 'Member') && rolesQuery(api, orgId)]),
  component: RolePage,
});

function RolePage() {
  const { t } = useTranslation('settings');
  const { role } = Route.useParams();
  const { api, orgId, can } = useOrganization();
  const query = useQuery({ ...rolesQuery(api, orgId), enabled: can('read', 'Member') });
  return (
    <PermittedPage permission={settingsPermissions.roles}>
      <AsyncRegion
        page
        query={query}
        what={t('records.what', { records: t('words.role') })}
        skeleton={<PanelSkeleton height={640} />}
      >
        {({ items }) => {
          const found = items.find((entry) => entry.role === role);
          return found ? <RoleEditor key={role} role={found} roles={items} /> : <NotFoundState />;
        }}
      </AsyncRegion>
    </PermittedPage>
  );
}
