import assert from 'node:assert/strict';
import { rowsOf, type Database } from '../platform/database/database.ts';
import { foldVisits } from '../sample/events.ts';

/** Checks that the counts of each goal, of all time and of each quarter of an hour, once folded, are those of the conversions of an organization. */
export async function assertSummed(owner: Database, organizationId: string): Promise<void> {
  await foldVisits(owner, { organizationId });
  const rows = await rowsOf(owner)`
    select goal_id, day, quarter, sum(count) as count, sum(value) as value, sum(attributed) as attributed
    from (
      select c.subject_id as goal_id, c.day, q.quarter, (c.value = 'all')::integer * u.count as count,
        coalesce(counts_between(c.running_amounts, q.quarter, q.quarter + 1), 0) as value,
        (c.value = 'attributed')::integer * u.count as attributed
      from conversion_counts c
      cross join lateral generate_series(0, cardinality(c.running_counts) - 1) q(quarter)
      cross join lateral (select counts_between(c.running_counts, q.quarter, q.quarter + 1) as count) u
      where c.organization_id = ${organizationId}
      union all
      select goal_id, p.day, p.quarter, -1, -coalesce(value, 0), -num_nonnulls(send_id)
      from current_conversions
      cross join lateral (values (utc_day(at), utc_quarter(at)), ('-infinity', 0)) p (day, quarter)
      where organization_id = ${organizationId}
    ) compared
    group by 1, 2, 3
    having sum(count) <> 0 or sum(value) <> 0 or sum(attributed) <> 0
  `;
  assert.deepEqual(rows, []);
}
