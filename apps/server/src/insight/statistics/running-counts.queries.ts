import { sql } from 'kysely';
import type { TimeSpan } from '@reachout/contract/period.ts';
import { dayMs, quarterMs, roundSpan } from './quarters.ts';

/** Selects all sends of a touchpoint except tests, or one of them. */
export interface StatisticsQuery {
  organizationId: string;
  touchpointId: string;
  sendId?: string | undefined;
}

/** Buckets of a chart; none count everything under the index -1. */
export interface Buckets {
  starts: readonly Date[];
  byMinute: boolean;
}

export const noBuckets: Buckets = { starts: [], byMinute: false };

/**
 * What of a span is read from days with running counts, and the edges that are read from single rows.
 * @returns also the days, from the first until before the end; a join of days `d` with their buckets `b`; and what a column with
 *   running counts has of such a bucket
 */
export function readByDay(span: TimeSpan, { starts, byMinute }: Buckets) {
  const { from, to, edges } = byMinute
    ? { from: 0, to: 0, edges: [{ ...span, sign: 1 as const }] }
    : roundSpan(span, quarterMs);
  // A span that begins within a quarter of an hour may begin with the whole one: its first bucket has that, too.
  const quarters = starts.map((start, index) =>
    index === 0 ? from : Math.ceil(start.getTime() / quarterMs),
  );
  return {
    edges,
    firstDay: toDay(Math.floor(from / 96)),
    endDay: toDay(Math.ceil(to / 96)),
    // Of buckets longer than a day, one is read per day.
    eachBucket: sql`
      cross join lateral (select (d.day - date '1970-01-01') * 96 as midnight) q
      cross join lateral (
        select s.starts, generate_series(width_bucket(greatest(q.midnight, ${from}), s.starts),
          width_bucket(least(q.midnight + 96, ${to}) - 1, s.starts)) as bucket
        from (select ${quarters}::integer[] as starts) s
      ) b`,
    countIn: (column: string) => sql`counts_between(${sql.ref(column)},
        greatest(q.midnight, b.starts[b.bucket], ${from}) - q.midnight, least(b.starts[b.bucket + 1], ${to}) - q.midnight)`,
  };
}

export const isOf = ({ organizationId, touchpointId }: StatisticsQuery) =>
  sql`organization_id = ${organizationId} and touchpoint_id = ${touchpointId}`;

/** What is before the first bucket is in it. */
export const bucketOf = (column: string, starts: readonly Date[]) =>
  sql`greatest(width_bucket(${sql.ref(column)}, ${starts.map((start) => start.toISOString())}::timestamptz[]),
    ${Math.min(starts.length, 1)}) - 1`;

/** @param days  since 1970 */
export const toDay = (days: number): string => new Date(days * dayMs).toISOString().slice(0, 10);
