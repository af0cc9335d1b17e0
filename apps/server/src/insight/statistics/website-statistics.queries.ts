import { sql } from 'kysely';
import type { TimeSpan } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StatisticsQuery } from './email-statistics.queries.ts';

export interface StoredEvents {
  type: string;
  /** 0-based index of the bucket. */
  bucket: number;
  count: number;
}

/** Counts the stored events of a touchpoint by type and bucket; for all time without a span. */
export async function countStoredEvents(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  span?: TimeSpan,
  buckets: readonly Date[] = [],
): Promise<StoredEvents[]> {
  const starts = sql`${buckets.map((at) => at.toISOString())}::timestamptz[]`;
  const { rows } = await sql<StoredEvents>`
    select type, width_bucket(at, ${starts}) - 1 as bucket, count(*)::bigint as count
    from events
    where organization_id = ${organizationId} and touchpoint_id = ${touchpointId}
      ${span === undefined ? sql`` : sql`and at >= ${span.start} and at < ${span.end}`}
    group by 1, 2
    order by 1, 2
  `.execute(trx);
  return rows;
}
