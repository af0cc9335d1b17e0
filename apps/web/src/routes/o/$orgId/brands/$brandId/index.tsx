import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/o/$orgId/brands/$brandId/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$orgId/brands/$brandId/campaigns', params, replace: true });
  },
});
