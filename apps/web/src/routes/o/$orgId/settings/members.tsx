import { Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InviteForm } from '#web/identity/invitations/invite-form.tsx';
import { MemberTable } from '#web/identity/members/member-table.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import {
  useOrganization,
  type OrganizationContextValue,
} from '#web/identity/organizations/organization-context.ts';
import { rolesQuery } from '#web/identity/roles/roles-query.ts';
import { checked, compact, readListSearch } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { ListPage } from '#web/ui/list-page.tsx';

const readSearch = checked((raw) =>
  compact({
    ...readListSearch(raw, ['full_name', 'role', 'joined_at', 'last_seen_at']),
    role:
      typeof raw['role'] === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(raw['role']) ? raw['role'] : undefined,
  }),
);
type Search = ReturnType<typeof readSearch>;

const pageSize = 20;
const defaultOrder = 'full_name.asc';

const membersQuery = (
  { api, orgId }: OrganizationContextValue,
  { page = 1, order = defaultOrder, ...rest }: Search,
) =>
  api.members.list.queryOptions({
    input: { id: orgId, ...rest, order, page: page - 1, page_size: pageSize },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/settings/members')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => search,
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
        <PermittedButton
          permission={['create', 'Invitation']}
          leftSection={<IconPlus size={16} stroke={1.75} />}
          onClick={() => setInviting(true)}
        >
          {t('invitations.invite')}
        </PermittedButton>
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
  const search = Route.useSearch();
  const change = useChangeSearch<Search>();
  const { data: roles } = useQuery(rolesQuery(scope.api, scope.orgId));
  const query = useQuery(membersQuery(scope, search));
  return (
    <ListPage
      query={query}
      what={t('members.what')}
      searchLabel={t('members.search')}
      filters={
        <Select
          clearable
          aria-label={t('members.role')}
          placeholder={t('members.anyRole')}
          value={search.role ?? null}
          data={(roles?.items ?? []).map(({ role, name }) => ({
            value: role,
            label: roleName({ role, role_name: name }),
          }))}
          onChange={(role) => change({ role: role ?? undefined })}
        />
      }
      filtered={search.role !== undefined}
      noResults={t('members.noMatch')}
      defaultOrder={defaultOrder}
      pageSize={pageSize}
    >
      {(rows, table) => <MemberTable {...table} rows={rows} roles={roles?.items ?? []} />}
    </ListPage>
  );
}
