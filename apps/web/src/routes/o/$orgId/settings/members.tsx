import { Group, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { checked, compact, readListSearch, type Change } from '#web/platform/list-search.ts';
import { rolesQuery } from '#web/identity/roles/roles-query.ts';
import { InviteForm } from '#web/identity/invitations/invite-form.tsx';
import { MemberTable } from '#web/identity/members/member-table.tsx';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { NoMatch } from '#web/ui/states.tsx';

const readSearch = (raw: Record<string, unknown>) =>
  compact({
    ...readListSearch(raw, ['full_name', 'role', 'joined_at', 'last_seen_at']),
    role:
      typeof raw['role'] === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(raw['role']) ? raw['role'] : undefined,
  });
type Search = ReturnType<typeof readSearch>;

export const Route = createFileRoute('/o/$orgId/settings/members')({
  validateSearch: checked(readSearch),
  component: Page,
});

const pageSize = 20;

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
  const { t } = useTranslation(['settings', 'common']);
  const { api, orgId } = useOrganization();
  const roleName = useRoleName();
  const { search, role, page = 1, order = 'full_name.asc' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<Search>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const { data: roles } = useQuery(rolesQuery(api, orgId));
  const query = useQuery(
    api.members.list.queryOptions({
      input: compact({
        id: orgId,
        search,
        role,
        order: order as 'full_name.asc',
        page: page - 1,
        page_size: pageSize,
      }),
      placeholderData: keepPreviousData,
    }),
  );
  const filtered = search !== undefined || role !== undefined;
  return (
    <>
      <Group mb="md" align="end">
        <SearchField
          label={t('members.search')}
          value={search ?? ''}
          onSearch={(text) => void go({ search: text || undefined, page: undefined })}
        />
        <Select
          clearable
          aria-label={t('members.role')}
          placeholder={t('members.anyRole')}
          value={role ?? null}
          data={(roles?.items ?? []).map((entry) => ({
            value: entry.role,
            label: roleName({ role: entry.role, role_name: entry.name }),
          }))}
          onChange={(next) => void go({ role: next ?? undefined, page: undefined })}
        />
        <ResultCount count={query.data?.count ?? 0} active={filtered && query.isSuccess} />
      </Group>
      <AsyncRegion query={query} what={t('members.what')}>
        {({ items, count }) =>
          count === 0 && filtered ? (
            <NoMatch text={t('members.noMatch')} onClear={() => void navigate({ search: {} })} />
          ) : (
            <>
              <MemberTable
                rows={items}
                roles={roles?.items ?? []}
                order={order}
                onOrder={(next) => void go({ order: next, page: undefined })}
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
