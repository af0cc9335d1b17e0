import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

// Separate from the list because its loader imports it, and with that it is part of the first load.

export const queuePageSize = 20;

/** The content items of an email that are or were sent on a date, the last one first. @param page  0-based */
export const itemQueueQuery = ({ api }: OrganizationContext, touchpointId: string, page = 0) =>
  api.schedules.listItems.queryOptions({
    input: { id: touchpointId, page, page_size: queuePageSize },
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
