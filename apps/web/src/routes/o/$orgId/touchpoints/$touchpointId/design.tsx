import { createFileRoute } from '@tanstack/react-router';
import { checked } from '#web/platform/list-search.ts';

interface Search {
  /** The field to focus, such as one with a problem. */
  field?: string;
}

/** Rendered by the channel: outreach/channels. */
export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/design')({
  validateSearch: checked((raw): Search =>
    typeof raw['field'] === 'string' ? { field: raw['field'].slice(0, 40) } : {},
  ),
});
