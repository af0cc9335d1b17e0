import { Box, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { Invitation } from '@reachout/contract/invitations.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { IconMailPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { InvitationLinkCard } from '#web/identity/invitations/invitation-link.tsx';
import { InviteForm } from '#web/identity/invitations/invite-form.tsx';
import { statusColumn, textColumn, timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { EmailText } from '#web/ui/email-text.tsx';
import { notify } from '#web/ui/notify.tsx';
import { FinePrint } from '#web/ui/text.ts';

const list = defineList({
  pageSize: 20,
  isSearchable: true,
  filters: (raw) => compact({ view: readChoice(raw['view'], ['all']) }),
});
type Search = SearchOf<typeof list>;

const invitationsQuery = ({ api, orgId }: OrganizationContext, search: Search) =>
  api.invitations.list.queryOptions(
    list.query(search, { id: orgId, status: search.view === 'all' ? undefined : 'pending' }),
  );

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
  const { can } = useOrganization();
  const { copy } = useClipboard();
  return (
    <RecordList
      records={recordLists.invitations}
      query={useQuery(invitationsQuery(useOrganization(), Route.useSearch()))}
      list={list}
      header={false}
      texts="settings:invitations"
      label={t('sections.invitations')}
      icon={IconMailPlus}
      columns={useColumns()}
      nameOf={({ email }) => email}
      filters={[
        {
          name: 'view',
          label: t('words.status'),
          any: t('status.pending'),
          options: [{ value: 'all', label: t('common:filter.all') }],
          look: 'segments',
          isView: true,
        },
      ]}
      links={({ status, url }) =>
        status === 'pending' &&
        url !== null &&
        (can('create', 'Invitation') || can('delete', 'Invitation')) && (
          <Menu.Item
            onClick={() => {
              copy(url);
              notify(t('common:actions.copied'));
            }}
          >
            {t('words.copyLink')}
          </Menu.Item>
        )
      }
      shown={{
        resend: { label: t('invitations.resend'), done: ({ email }) => t('invitations.resent', { email }) },
        cancel: {
          label: t('invitations.cancel'),
          isDestructive: true,
          question: ({ email }) => ({
            title: t('invitations.cancelQuestion', { email }),
            body: t('invitations.cancelEffect'),
          }),
          done: t('invitations.cancelled'),
        },
      }}
    />
  );
}

function useColumns(): ListColumn<Invitation>[] {
  const { t } = useTranslation(['settings', 'common']);
  const format = useFormat();
  const roleName = useRoleName();
  return [
    { name: 'email', header: t('words.emailAddress'), cell: ({ email }) => <EmailText address={email} /> },
    {
      name: 'role',
      header: t('words.role'),
      cell: (invitation) => (
        <>
          {roleName(invitation)}
          {invitation.clients.length > 0 && (
            <FinePrint>
              {t('members.only', { clients: format.list(invitation.clients.map(({ name }) => name)) })}
            </FinePrint>
          )}
        </>
      ),
    },
    statusColumn(t('words.status'), ({ status, is_expired }) =>
      status === 'pending' && is_expired ? 'expired' : status,
    ),
    textColumn('by', t('invitations.by'), ({ invited_by }) => invited_by?.full_name ?? null),
    timeColumn('sent_at', t('status.sent'), (invitation) => invitation.created_at),
    timeColumn(
      'expires',
      t('words.expires'),
      ({ status, expires_at }) => (status === 'pending' ? expires_at : null),
      { as: 'dateTime' },
    ),
  ];
}
