import { recordLists } from '@reachout/contract/record-lists.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { badgeColumn, countColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { RoleForm } from '#web/identity/roles/role-form.tsx';
import { rolesQuery } from '#web/identity/roles/roles-query.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';

export const Route = createFileRoute('/o/$orgId/settings/roles/')({
  loader: ({ context }) =>
    context.preload(({ api, orgId, can }) => [can('read', 'Member') && rolesQuery(api, orgId)]),
  component: Roles,
});

function Roles() {
  const { t } = useTranslation('settings');
  const { api, orgId, can } = useOrganization();
  const query = useQuery({ ...rolesQuery(api, orgId), enabled: can('read', 'Member') });
  const roleName = useRoleName();
  const [copying, setCopying] = useState<string>();
  const nameOf = ({ role, name }: RoleDetails) => roleName({ role, role_name: name });
  return (
    <SettingsPage
      section="roles"
      primary={
        <CreateButton permission={['update', 'Member']} onClick={() => setCopying('analyst')}>
          {t('roles.new')}
        </CreateButton>
      }
    >
      <RecordList
        records={recordLists.roles}
        query={query}
        header={false}
        texts="settings:roles"
        label={t('sections.roles')}
        columns={[
          {
            name: 'name',
            header: t('roles.name'),
            cell: (role) => (
              <LinkAnchor to="/o/$orgId/settings/roles/$role" params={{ orgId, role: role.role }}>
                {nameOf(role)}
              </LinkAnchor>
            ),
          },
          badgeColumn<RoleDetails>('type', t('words.type'), (role) =>
            t(role.built_in ? 'roles.builtIn' : 'roles.custom'),
          ),
          countColumn<RoleDetails>('members', t('sections.members'), (role) => role.member_count),
        ]}
        keyOf={({ role }) => role}
        nameOf={nameOf}
        shown={{ copy: { label: t('roles.copy'), run: ({ role }) => setCopying(role) } }}
      />
      {query.data && copying !== undefined && (
        <RoleForm roles={query.data.items} from={copying} onClose={() => setCopying(undefined)} />
      )}
    </SettingsPage>
  );
}
