import { createFileRoute } from '@tanstack/react-router';
import { OrganizationList } from '#web/identity/operators/organization-list.tsx';
import { organizationList } from '#web/identity/operators/operator-lists.ts';

export const Route = createFileRoute('/operator/organizations')({
  ...organizationList.route,
  component: () => <OrganizationList search={Route.useSearch()} />,
});
