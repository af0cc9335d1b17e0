import { createFileRoute } from '@tanstack/react-router';
import { checked } from '#web/platform/list-search.ts';

interface Search {
  contact?: string;
}

/** Rendered by the channel: outreach/channels. */
export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/preview')({
  validateSearch: checked((raw): Search =>
    typeof raw['contact'] === 'string' ? { contact: raw['contact'].slice(0, 255) } : {},
  ),
});
