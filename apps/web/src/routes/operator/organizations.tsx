import { createFileRoute } from '@tanstack/react-router';
import { OrganizationList } from '#web/operations/operator/organization-list.tsx';
import { organizationList } from '#web/operations/operator/operator-lists.ts';

export const Route = createFileRoute('/operator/organizations')({
  ...organizationList.route,
  component: () => <OrganizationList search={Route.useSearch()} />,
});
