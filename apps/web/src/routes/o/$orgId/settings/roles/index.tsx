import { Badge, Menu } from '@mantine/core';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { RoleForm } from '#web/identity/roles/role-form.tsx';
import { rolesQuery } from '#web/identity/roles/roles-query.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';

export const Route = createFileRoute('/o/$orgId/settings/roles/')({
  loader: ({ context }) =>
    context.preload(({ api, orgId, can }) => [can('read', 'Member') && rolesQuery(api, orgId)]),
  component: Roles,
});

function Roles() {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const roleName = useRoleName();
  const { api, orgId, can } = useOrganization();
  const query = useQuery({ ...rolesQuery(api, orgId), enabled: can('read', 'Member') });
  const [copying, setCopying] = useState<string>();
  const nameOf = ({ role, name }: RoleDetails) => roleName({ role, role_name: name });

  const columns: Column<RoleDetails>[] = [
    {
      header: t('roles.name'),
      cell: (role) => (
        <LinkAnchor to="/o/$orgId/settings/roles/$role" params={{ orgId, role: role.role }}>
          {nameOf(role)}
        </LinkAnchor>
      ),
    },
    {
      header: t('roles.kind'),
      cell: (role) => (
        <Badge color="gray" className="status-badge">
          {t(role.built_in ? 'roles.builtIn' : 'roles.custom')}
        </Badge>
      ),
    },
    { header: t('sections.members'), align: 'end', cell: (role) => format.number(role.member_count) },
  ];
  const rowActions = (role: RoleDetails) => (
    <RowMenu name={nameOf(role)}>
      <Menu.Item onClick={() => setCopying(role.role)}>{t('roles.copy')}</Menu.Item>
    </RowMenu>
  );
  return (
    <SettingsPage
      section="roles"
      primary={
        <CreateButton permission={['update', 'Member']} onClick={() => setCopying('analyst')}>
          {t('roles.new')}
        </CreateButton>
      }
    >
      <ListPage query={query} what={t('roles.what')}>
        {({ rows: roles }) => (
          <>
            <DataTable
              label={t('sections.roles')}
              columns={columns}
              rows={roles}
              rowKey={({ role }) => role}
              rowActions={can('update', 'Member') ? rowActions : undefined}
            />
            {copying !== undefined && (
              <RoleForm roles={roles} from={copying} onClose={() => setCopying(undefined)} />
            )}
          </>
        )}
      </ListPage>
    </SettingsPage>
  );
}
