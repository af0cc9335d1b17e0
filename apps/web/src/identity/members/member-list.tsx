import { Menu, Text } from '@mantine/core';
import { usesMemberClients } from '@reachout/contract/abilities.ts';
import type { Member } from '@reachout/contract/members.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordList, type RecordListProps } from '#web/identity/lists/record-list.tsx';
import { Person } from '#web/identity/organizations/person.tsx';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { sessionQuery } from '#web/identity/auth/session.ts';
import { Time } from '#web/ui/time.tsx';
import { LeaveDialog } from './leave-organization.tsx';
import { MemberForm } from './member-form.tsx';
import { useIsLastOwner } from './use-is-last-owner.ts';
import { FinePrint } from '#web/ui/text.ts';

interface Props extends Pick<RecordListProps<Member, Member>, 'query' | 'list' | 'filters'> {
  roles: readonly RoleDetails[];
}

/** The members of the organization. */
export function MemberList({ roles, ...list }: Props) {
  const { t } = useTranslation(['settings', 'common', 'problems']);
  const format = useFormat();
  const roleName = useRoleName();
  const { organization, can } = useOrganization();
  const { data: me } = useQuery(sessionQuery);
  const isLastOwner = useIsLastOwner();
  const [isLeaving, setLeaving] = useState(false);
  const mine = (member: Member) => member.user_id === me?.id;

  const roleOf = (member: Member) => roles.find(({ role }) => role === member.role);
  const rulesOf = (member: Member) => roleOf(member)?.rules ?? [];

  /** Why this member's role and membership cannot be changed, as text in the row. */
  const fixed = (member: Member): string | undefined => {
    if (isLastOwner(member.role)) return t('problems:code.last_owner');
    const known = roleOf(member);
    return known?.grantable === false && !mine(member) ? t('members.beyond') : undefined;
  };
  const columns: ListColumn<Member>[] = [
    {
      name: 'name',
      header: t('form.name'),
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
      name: 'role',
      header: t('words.role'),
      sort: 'role',
      cell: (member) => (
        <>
          {roleName(member)}
          {member.clients.length > 0 && (
            <FinePrint>
              {t('members.only', { clients: format.list(member.clients.map(({ name }) => name)) })}
            </FinePrint>
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
    timeColumn('joined', t('members.joined'), ({ joined_at }) => joined_at, {
      as: 'date',
      sort: 'joined_at',
    }),
    {
      name: 'seen',
      header: t('members.seen'),
      sort: 'last_seen_at',
      cell: (member) => {
        if (mine(member)) return t('words.activeNow');
        return member.last_seen_at === null ? t('members.never') : <Time at={member.last_seen_at} />;
      },
    },
  ];
  const isFixed = (member: Member) => fixed(member) !== undefined;
  return (
    <>
      <RecordList
        {...list}
        records={recordLists.members}
        header={false}
        texts="settings:members"
        label={t('sections.members')}
        columns={columns}
        keyOf={({ user_id }) => user_id}
        nameOf={({ user }) => user.full_name}
        shown={{
          change: {
            label: t('members.change'),
            isOff: isFixed,
            open: (member, close) => <MemberForm member={member} roles={roles} onClose={close} />,
          },
          remove: {
            label: ({ user }) => t('form.remove', { name: user.full_name }),
            isDestructive: true,
            // Members leave by themselves.
            isHidden: mine,
            isOff: isFixed,
            question: ({ user }) => ({
              title: t('members.removeQuestion', { name: user.full_name, organization: organization.name }),
              body: t('members.removeEffect'),
            }),
            done: ({ user }) => t('members.removed', { name: user.full_name }),
          },
        }}
        linksBelow={(member) =>
          mine(member) && (
            <Menu.Item c="var(--app-danger)" disabled={isFixed(member)} onClick={() => setLeaving(true)}>
              {t('leave.action')}
            </Menu.Item>
          )
        }
      />
      {isLeaving && <LeaveDialog onClose={() => setLeaving(false)} />}
    </>
  );
}
