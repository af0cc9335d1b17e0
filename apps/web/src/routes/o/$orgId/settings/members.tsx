import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InviteForm } from '#web/identity/invitations/invite-form.tsx';
import { MemberList } from '#web/identity/members/member-list.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { rolesQuery } from '#web/identity/roles/roles-query.ts';
import { compact, defineList, type SearchOf } from '#web/platform/list-search.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';

const list = defineList({
  pageSize: 20,
  isSearchable: true,
  sortBy: ['full_name', 'role', 'joined_at', 'last_seen_at'],
  defaultOrder: 'full_name.asc',
  filters: ({ role }) =>
    compact({ role: typeof role === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(role) ? role : undefined }),
});
type Search = SearchOf<typeof list>;

const membersQuery = ({ api, orgId }: OrganizationContext, search: Search) =>
  api.members.list.queryOptions(list.query(search, { id: orgId, role: search.role }));

export const Route = createFileRoute('/o/$orgId/settings/members')({
  ...list.route,
  loader: ({ context, deps }) =>
    context.preload((scope) =>
      scope.can('read', 'Member') ? [membersQuery(scope, deps), rolesQuery(scope.api, scope.orgId)] : [],
    ),
  component: Page,
});

function Page() {
  const { t } = useTranslation('settings');
  const [inviting, setInviting] = useState(false);
  return (
    <SettingsPage
      section="members"
      primary={
        <CreateButton permission={['create', 'Invitation']} onClick={() => setInviting(true)}>
          {t('invitations.invite')}
        </CreateButton>
      }
    >
      <Members />
      {inviting && <InviteForm onClose={() => setInviting(false)} />}
    </SettingsPage>
  );
}

function Members() {
  const { t } = useTranslation('settings');
  const scope = useOrganization();
  const roleName = useRoleName();
  const { data } = useQuery(rolesQuery(scope.api, scope.orgId));
  const roles = data?.items ?? [];
  return (
    <MemberList
      query={useQuery(membersQuery(scope, Route.useSearch()))}
      list={list}
      filters={[
        {
          name: 'role',
          label: t('words.role'),
          any: t('members.anyRole'),
          options: roles.map(({ role, name }) => ({
            value: role,
            label: roleName({ role, role_name: name }),
          })),
        },
      ]}
      roles={roles}
    />
  );
}
