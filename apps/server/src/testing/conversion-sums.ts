import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/** Checks that the sums of each goal, day and quarter of an hour, folded or not, are those of the conversions of an organization. */
export async function assertSummed(owner: Database, organizationId: string): Promise<void> {
  const { rows } = await sql`
    select goal_id, day, quarter, sum(count) as count, sum(value) as value, sum(attributed) as attributed
    from (
      select d.goal_id, d.day, q.quarter, counts_between(d.running_counts, q.quarter, q.quarter + 1) as count,
        counts_between(d.running_values, q.quarter, q.quarter + 1) as value,
        counts_between(d.running_attributed, q.quarter, q.quarter + 1) as attributed
      from current_conversion_days d
      cross join generate_series(0, 95) q(quarter)
      where d.organization_id = ${organizationId}
      union all
      select goal_id, (at at time zone 'UTC')::date, floor(extract(epoch from at) / 900)::bigint % 96, -1, -coalesce(value, 0),
        -num_nonnulls(send_id)
      from current_conversions
      where organization_id = ${organizationId}
    ) compared
    group by 1, 2, 3
    having sum(count) <> 0 or sum(value) <> 0 or sum(attributed) <> 0
  `.execute(owner);
  assert.deepEqual(rows, []);
}
