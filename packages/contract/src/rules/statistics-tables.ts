import type { TouchpointType } from '../states/touchpoint.ts';
import { websiteDimensions } from '../states/website.ts';

/** The most rows of a breakdown, and of each file without buckets. */
export const mostRows = 1_000;

/** Tables of statistics that are files. */
export const exportedTables = {
  email: ['chart', 'links', 'providers', 'failures', 'devices', 'countries', 'events', 'funnel'],
  website: ['chart', ...websiteDimensions, 'goals', 'emails'],
} as const satisfies Record<TouchpointType, readonly string[]>;
export type ExportedTable<Type extends TouchpointType = TouchpointType> =
  (typeof exportedTables)[Type][number];

export const tableNames: readonly ExportedTable[] = [
  ...new Set([...exportedTables.email, ...exportedTables.website]),
];
