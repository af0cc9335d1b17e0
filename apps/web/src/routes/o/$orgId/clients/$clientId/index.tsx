import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/o/$orgId/clients/$clientId/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$orgId/clients/$clientId/overview', params, replace: true });
  },
});
