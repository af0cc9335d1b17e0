import type { OperatedUser } from '@reachout/contract/operator.ts';
import { userStatuses } from '@reachout/contract/statuses.ts';
import { IconUsers } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/identity/account/me-query.ts';
import { wordsColumn } from '#web/identity/lists/columns.tsx';
import { api } from '#web/platform/api.ts';
import { OperatedList } from './operated-list.tsx';
import { userList, type UserSearch } from './operator-lists.ts';
import { operatedUsers } from './operator-queries.ts';

export function UserList({ search }: { search: UserSearch }) {
  const { t } = useTranslation('operator');
  const query = useQuery(operatedUsers(search));
  const me = useQuery(meQuery);
  const save = useMutation(api.operator.setUserStatus.mutationOptions());
  return (
    <OperatedList
      texts="operator:users"
      icon={IconUsers}
      query={query}
      list={userList}
      choices={userStatuses.map((value) => ({ value, hint: t(`users.hints.${value}`) }))}
      nameOf={({ full_name }) => full_name}
      columns={[wordsColumn<OperatedUser>('email', t('words.email'), ({ email }) => email)]}
      // Operators cannot change their own status.
      canChange={({ id }) => id !== me.data?.id}
      onSave={({ id }, change) => save.mutateAsync({ id, ...change })}
    />
  );
}
