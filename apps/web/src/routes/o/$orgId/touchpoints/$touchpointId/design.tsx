import { createFileRoute } from '@tanstack/react-router';
import { checked } from '#web/platform/list-search.ts';

interface Search {
  /** The field to begin with: the one that something is wrong with. */
  field?: string;
}

/** The channel draws it: outreach/channels. */
export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/design')({
  validateSearch: checked((raw): Search =>
    typeof raw['field'] === 'string' ? { field: raw['field'].slice(0, 40) } : {},
  ),
});
