import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { waitUntil } from './wait-until.ts';

/** Returns as soon as a statement of this test's database waits for a lock: only then does a test show that it waits. */
export async function waitUntilSomebodyWaits(owner: Database): Promise<void> {
  await waitUntil('somebody waits for a lock', async () => (await countWaiting(owner)) > 0);
}

/** How many statements of this test's database wait for a lock. */
export async function countWaiting(owner: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()
  `.execute(owner);
  return rows[0]?.count ?? 0;
}
