import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$orgId/touchpoints/$touchpointId/design', params, replace: true });
  },
});
