import { createFileRoute } from '@tanstack/react-router';

/** Rendered by the channel: outreach/channels. */
export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/overview')();
