import { createFileRoute } from '@tanstack/react-router';
import { UserList } from '#web/identity/operators/user-list.tsx';
import { userList } from '#web/identity/operators/operator-lists.ts';

export const Route = createFileRoute('/operator/users')({
  ...userList.route,
  component: () => <UserList search={Route.useSearch()} />,
});
