import { SegmentedControl } from '@mantine/core';
import { IconMailPlus, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import {
  useOrganization,
  type OrganizationContextValue,
} from '#web/identity/organizations/organization-context.ts';
import { checked, compact, readChoice, readListSearch } from '#web/platform/list-search.ts';
import { InvitationLinkCard } from '#web/identity/invitations/invitation-link.tsx';
import { InvitationTable } from '#web/identity/invitations/invitation-table.tsx';
import { InviteForm } from '#web/identity/invitations/invite-form.tsx';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const readSearch = checked((raw) =>
  compact({ ...readListSearch(raw), view: readChoice(raw['view'], ['all']) }),
);
type Search = ReturnType<typeof readSearch>;

const pageSize = 20;

const invitationsQuery = ({ api, orgId }: OrganizationContextValue, { search, view, page = 1 }: Search) =>
  api.invitations.list.queryOptions({
    input: compact({
      id: orgId,
      status: view === 'all' ? undefined : ('pending' as const),
      search,
      page: page - 1,
      page_size: pageSize,
    }),
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/settings/invitations')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    context.preload((scope) => [scope.can('read', 'Invitation') && invitationsQuery(scope, deps)]),
  component: Page,
});

function Page() {
  const { t } = useTranslation('settings');
  const { can } = useOrganization();
  const [inviting, setInviting] = useState(false);
  return (
    <SettingsPage
      section="invitations"
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
      {can('create', 'Invitation') && <InvitationLinkCard />}
      <Invitations />
      {inviting && <InviteForm onClose={() => setInviting(false)} />}
    </SettingsPage>
  );
}

function Invitations() {
  const { t } = useTranslation(['settings', 'common']);
  const address = Route.useSearch();
  const change = useChangeSearch<Search>();
  const query = useQuery(invitationsQuery(useOrganization(), address));
  return (
    <ListPage
      query={query}
      what={t('invitations.what')}
      views={
        <SegmentedControl
          aria-label={t('common:filter.status')}
          value={address.view ?? 'pending'}
          onChange={(view) => change({ view: readChoice(view, ['all']) })}
          data={[
            { value: 'pending', label: t('invitations.pending') },
            { value: 'all', label: t('common:filter.all') },
          ]}
        />
      }
      searchLabel={t('invitations.search')}
      noResults={t('invitations.noMatch', { search: address.search })}
      empty={
        <EmptyState icon={<IconMailPlus size={28} stroke={1.75} />} title={t('invitations.empty')}>
          {t('invitations.emptyHint')}
        </EmptyState>
      }
      pageSize={pageSize}
    >
      {(rows, table) => <InvitationTable {...table} rows={rows} />}
    </ListPage>
  );
}
