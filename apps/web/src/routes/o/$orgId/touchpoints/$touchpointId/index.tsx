import { createFileRoute, Navigate } from '@tanstack/react-router';
import { channels } from '#web/outreach/channels/channels.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/')({ component: FirstPage });

function FirstPage() {
  const params = Route.useParams();
  const { touchpoint } = useTouchpoint();
  const [{ tab }] = channels[touchpoint.type].pages;
  return <Navigate replace to={`/o/$orgId/touchpoints/$touchpointId/${tab}`} params={params} />;
}
