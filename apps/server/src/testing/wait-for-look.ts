import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Waits until the worker has polled for due sends once more: it then knows which sends are paused or cancelled.
 * @param owner  can see the activity of other database users
 */
export async function waitForLook(owner: Database): Promise<void> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(owner);
  await waitUntil('the worker has looked for work', async () => {
    const looks = await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'reachout worker sends' and state like 'idle%'
        and query like '%due_sends%' and query_start > ${rows[0]!.now}::timestamptz
    `.execute(owner);
    return looks.rows.length > 0;
  });
}
