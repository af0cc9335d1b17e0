import { Box, SegmentedControl } from '@mantine/core';
import { IconMailPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';
import { InvitationLinkCard } from '#web/identity/invitations/invitation-link.tsx';
import { InvitationTable } from '#web/identity/invitations/invitation-table.tsx';
import { InviteForm } from '#web/identity/invitations/invite-form.tsx';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const list = defineList({
  pageSize: 20,
  isSearchable: true,
  filters: (raw) => compact({ view: readChoice(raw['view'], ['all']) }),
});
type Search = SearchOf<typeof list>;

const invitationsQuery = ({ api, orgId }: OrganizationContext, search: Search) =>
  api.invitations.list.queryOptions({
    input: { id: orgId, ...(search.view === 'all' ? {} : { status: 'pending' }), ...list.input(search) },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/settings/invitations')({
  ...list.route,
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
        <CreateButton permission={['create', 'Invitation']} onClick={() => setInviting(true)}>
          {t('invitations.invite')}
        </CreateButton>
      }
    >
      {can('create', 'Invitation') && (
        <Box mb="lg">
          <InvitationLinkCard />
        </Box>
      )}
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
        <EmptyState icon={IconMailPlus} title={t('invitations.empty')} text={t('invitations.emptyHint')} />
      }
      list={list}
    >
      {(table) => <InvitationTable {...table} />}
    </ListPage>
  );
}
