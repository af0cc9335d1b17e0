import { sql } from 'kysely';
import type { EmailStats } from '@reachout/contract/statistics.ts';
import type { TimeSpan } from '@reachout/contract/period.ts';
import { onlyRowOf, rowsOf, type Transaction } from '../../platform/database/database.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';

/** Sums the conversions that the messages of an email led to; in a period, `converted` by the first one of each message. */
export async function sumConversions(
  trx: Transaction,
  query: StatisticsQuery,
  span?: TimeSpan,
): Promise<Pick<EmailStats, 'converted' | 'conversions' | 'conversion_value'>> {
  const within = (at: string) =>
    span === undefined ? sql`true` : sql`${sql.ref(at)} >= ${span.start} and ${sql.ref(at)} < ${span.end}`;
  return await onlyRowOf<Pick<EmailStats, 'converted' | 'conversions' | 'conversion_value'>>(trx)`
    select (select count(*) from converted_messages where ${ofEmail(query)} and ${within('first_at')})::bigint as converted,
      count(*)::bigint as conversions, coalesce(sum(value), 0)::float8 as conversion_value
    from current_conversions
    where ${ofEmail(query, 'email_touchpoint_id')} and send_id is not null and ${within('at')}
  `;
}

/** Counts the messages by the bucket of their first conversion. */
export const countConverted = (
  trx: Transaction,
  query: StatisticsQuery,
  { start, end }: TimeSpan,
  buckets: readonly Date[],
) => rowsOf<{ bucket: number; converted: number }>(trx)`
  select width_bucket(first_at, ${buckets.map((at) => at.toISOString())}::timestamptz[]) - 1 as bucket,
    count(*)::bigint as converted
  from converted_messages
  where ${ofEmail(query)} and first_at >= ${start} and first_at < ${end}
  group by 1
`;

const ofEmail = (
  { organizationId, touchpointId, sendId }: StatisticsQuery,
  touchpoint: 'touchpoint_id' | 'email_touchpoint_id' = 'touchpoint_id',
) => sql`organization_id = ${organizationId} and ${sql.ref(touchpoint)} = ${touchpointId}
  and (${sendId ?? null}::uuid is null or send_id = ${sendId ?? null}::uuid)`;
