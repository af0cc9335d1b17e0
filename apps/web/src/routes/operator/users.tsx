import { createFileRoute } from '@tanstack/react-router';
import { UserList } from '#web/operations/operator/user-list.tsx';
import { userList } from '#web/operations/operator/operator-lists.ts';

export const Route = createFileRoute('/operator/users')({
  ...userList.route,
  component: () => <UserList search={Route.useSearch()} />,
});
