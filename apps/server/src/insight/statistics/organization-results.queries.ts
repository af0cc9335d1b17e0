import { sql } from 'kysely';
import type { TimeSpan } from '@reachout/contract/period.ts';
import type { Results } from '@reachout/contract/dashboard.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface ResultsQuery {
  organizationId: string;
  /** Only this one. */
  clientId?: string | undefined;
}

/** Two periods, the later one cut into buckets. Both begin with a quarter of an hour, and the earlier one ends with one. */
export interface ComparedPeriods {
  previous: TimeSpan;
  buckets: readonly Date[];
  until: Date;
}

export interface ResultsRow extends Results {
  /** 0-based index of the bucket; -1 for the previous period, null in rows of clients. */
  bucket: number | null;
  /** Null in rows of buckets. */
  client_id: string | null;
}

/**
 * Results of all emails that are not deleted, within the access scope: a row for each bucket, for the previous period,
 * and for each client in the current one. From totals by quarters of an hour alone; of those under way, what is counted
 * so far.
 */
export async function sumOrganizationResults(
  trx: Transaction,
  { organizationId, clientId }: ResultsQuery,
  { previous, buckets, until }: ComparedPeriods,
): Promise<ResultsRow[]> {
  const start = buckets[0]!;
  const inPeriods = sql`organization_id = ${organizationId} and (
    at >= ${start} and at < ${until} or at >= ${previous.start} and at < ${previous.end})`;
  // Most of the time goes into the rows of totals. They are summed by send first, as small numbers, and placed in buckets by
  // seconds: to compare instants, to add up numerics and to look up the client of each row costs more.
  const thresholds = sql`${buckets.map((at) => at.getTime() / 1000)}::float8[]`;
  const bucketOfRow = sql`width_bucket(date_part('epoch', at), ${thresholds}) - 1`;
  const { rows } = await sql<ResultsRow>`
    with sends as materialized (
      select s.id, t.client_id
      from touchpoint_sends s
      join current_touchpoints t on t.organization_id = s.organization_id and t.id = s.touchpoint_id
      where s.organization_id = ${organizationId} and s.kind <> 'test'
        and (${clientId ?? null}::uuid is null or t.client_id = ${clientId ?? null}::uuid)
    ), figures as (
      select send_id, state as kind, ${bucketOfRow} as bucket, sum(count::integer) as count
      from counted_results
      where ${inPeriods} and state in ('sent', 'bounced')
      group by 1, 2, 3
      union all
      select send_id, type, ${bucketOfRow}, sum(unique_count::integer)
      from delivery_event_totals
      where ${inPeriods} and type in ('OPEN_EMAIL', 'CLICK', 'UNSUBSCRIBE') and unique_count > 0
      group by 1, 2, 3
    )
    select case when grouping(f.bucket) = 0 then f.bucket end as bucket, c.client_id,
      ${sumOf('sent')} as delivered, ${sumOf('bounced')} as bounced, ${sumOf('OPEN_EMAIL')} as opened,
      ${sumOf('CLICK')} as clicked, ${sumOf('UNSUBSCRIBE')} as unsubscribed
    from figures f
    join sends s on s.id = f.send_id
    cross join lateral (select case when f.bucket >= 0 then s.client_id end) c(client_id)
    group by grouping sets ((f.bucket), (c.client_id))
    having grouping(c.client_id) = 1 or c.client_id is not null
  `.execute(trx);
  return rows;
}

/** Of `figures f`. */
const sumOf = (kind: string) => sql`coalesce(sum(f.count) filter (where f.kind = ${kind}), 0)::bigint`;

/** By id. */
export async function listClientNames(
  trx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await trx
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
