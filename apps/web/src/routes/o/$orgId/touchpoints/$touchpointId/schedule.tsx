import { createFileRoute } from '@tanstack/react-router';

/** The channel draws it: outreach/channels. */
export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/schedule')();
