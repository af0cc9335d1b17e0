import { Menu, Text } from '@mantine/core';
import { usesMemberClients } from '@reachout/contract/abilities.ts';
import type { Member } from '@reachout/contract/members.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { Person } from '#web/identity/organizations/person.tsx';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { sessionQuery } from '#web/identity/auth/session.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { Time } from '#web/ui/time.tsx';
import { LeaveDialog } from './leave-organization.tsx';
import { MemberForm } from './member-form.tsx';
import { useIsLastOwner } from './use-is-last-owner.ts';

interface Props extends TableState<Member> {
  roles: readonly RoleDetails[];
}

export function MemberTable({ roles, ...table }: Props) {
  const { t } = useTranslation(['settings', 'common', 'problems']);
  const format = useFormat();
  const roleName = useRoleName();
  const { api, organization, orgId, can } = useOrganization();
  const { data: me } = useQuery(sessionQuery);
  const isLastOwner = useIsLastOwner();
  const remove = useMutation(api.members.remove.mutationOptions());
  const [open, setOpen] = useState<{ dialog: 'change' | 'remove' | 'leave'; member: Member }>();
  const mine = (member: Member) => member.user_id === me?.id;

  const roleOf = (member: Member) => roles.find(({ role }) => role === member.role);
  const rulesOf = (member: Member) => roleOf(member)?.rules ?? [];

  /** Why this member's role and membership cannot be changed, as text in the row. */
  const fixed = (member: Member): string | undefined => {
    if (isLastOwner(member.role)) return t('problems:code.last_owner');
    const known = roleOf(member);
    return known?.grantable === false && !mine(member) ? t('members.beyond') : undefined;
  };
  const columns: Column<Member>[] = [
    {
      header: t('members.person'),
      sort: 'full_name',
      cell: (member) => (
        <Person
          name={member.user.full_name}
          note={mine(member) ? t('members.you') : undefined}
          email={member.user.email}
          avatar={member.user.avatar_url}
        />
      ),
    },
    {
      header: t('members.role'),
      sort: 'role',
      cell: (member) => (
        <>
          {roleName(member)}
          {member.clients.length > 0 && (
            <Text size="xs" c="dimmed">
              {t('members.only', { clients: format.list(member.clients.map(({ name }) => name)) })}
            </Text>
          )}
          {member.clients.length === 0 && usesMemberClients(rulesOf(member)) && (
            <Text size="xs" c="var(--app-warning)">
              {t('members.noClients')}
            </Text>
          )}
          {can('update', 'Member') && fixed(member) !== undefined && (
            <Text size="xs" c="dimmed" maw={320}>
              {fixed(member)}
            </Text>
          )}
        </>
      ),
    },
    {
      header: t('members.joined'),
      sort: 'joined_at',
      cell: (member) => <Time at={member.joined_at} as="date" />,
    },
    {
      header: t('members.seen'),
      sort: 'last_seen_at',
      cell: (member) => {
        if (mine(member)) return t('members.now');
        return member.last_seen_at === null ? t('members.never') : <Time at={member.last_seen_at} />;
      },
    },
  ];
  const actions = (member: Member) => {
    const isFixed = fixed(member) !== undefined;
    const items = [
      can('update', 'Member') && (
        <Menu.Item key="change" disabled={isFixed} onClick={() => setOpen({ dialog: 'change', member })}>
          {t('members.change')}
        </Menu.Item>
      ),
      mine(member) ? (
        <Menu.Item
          key="leave"
          c="var(--app-danger)"
          disabled={isFixed}
          onClick={() => setOpen({ dialog: 'leave', member })}
        >
          {t('leave.action')}
        </Menu.Item>
      ) : (
        can('delete', 'Member') && (
          <Menu.Item
            key="remove"
            c="var(--app-danger)"
            disabled={isFixed}
            onClick={() => setOpen({ dialog: 'remove', member })}
          >
            {t('members.remove', { name: member.user.full_name })}
          </Menu.Item>
        )
      ),
    ].filter(Boolean);
    return items.length === 0 ? null : <RowMenu name={member.user.full_name}>{items}</RowMenu>;
  };

  return (
    <>
      <DataTable
        {...table}
        label={t('sections.members')}
        columns={columns}
        rowKey={(member) => member.user_id}
        rowActions={actions}
      />
      {open?.dialog === 'change' && (
        <MemberForm member={open.member} roles={roles} onClose={() => setOpen(undefined)} />
      )}
      {open?.dialog === 'leave' && <LeaveDialog onClose={() => setOpen(undefined)} />}
      {open?.dialog === 'remove' && (
        <ConfirmDialog
          title={t('members.removeQuestion', {
            name: open.member.user.full_name,
            organization: organization.name,
          })}
          confirmLabel={t('members.remove', { name: open.member.user.full_name })}
          onClose={() => setOpen(undefined)}
          onConfirm={async () => {
            await remove.mutateAsync({ id: orgId, user_id: open.member.user_id });
            notify(t('members.removed', { name: open.member.user.full_name }));
          }}
        >
          <Text>{t('members.removeEffect')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
