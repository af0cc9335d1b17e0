import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/**
 * Returns as soon as a statement of this test's database waits for a lock: only then does a test show that it waits.
 * @throws AssertionError after ten seconds
 */
export async function waitUntilSomebodyWaits(owner: Database): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const { rows } = await sql<{ waits: boolean }>`
      select exists (
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
      ) as waits
    `.execute(owner);
    if (rows[0]?.waits === true) return;
    assert.ok(Date.now() < deadline, 'nobody waits for a lock');
  }
}

/** How many statements of this test's database wait for a lock. */
export async function countWaiting(owner: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()
  `.execute(owner);
  return rows[0]?.count ?? 0;
}
