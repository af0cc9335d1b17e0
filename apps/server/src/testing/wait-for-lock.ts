import { sql } from 'kysely';
import type { TestApp } from './app.ts';
import type { Database } from '../platform/database/database.ts';
import { waitUntil } from './wait-until.ts';

/** Waits until a statement in this test's database waits for a lock. */
export async function waitUntilSomebodyWaits(owner: Database): Promise<void> {
  await waitUntil('somebody waits for a lock', async () => (await countWaiting(owner)) > 0);
}

/**
 * Raises the lock timeout, which is three seconds in the product, for tests that hold a lock.
 * Applies to connections that are opened from now on.
 */
export async function letLocksWait({ owner, ownerUrl }: Pick<TestApp, 'owner' | 'ownerUrl'>): Promise<void> {
  const database = new URL(ownerUrl).pathname.slice(1);
  for (const role of ['reachout_app', 'reachout_auth'])
    for (const setting of ['lock_timeout', 'statement_timeout'])
      await sql`alter role ${sql.id(role)} in database ${sql.id(database)} set ${sql.id(setting)} = '60s'`.execute(
        owner,
      );
}

/** @returns the number of statements in this test's database that wait for a lock */
export async function countWaiting(owner: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()
  `.execute(owner);
  return rows[0]?.count ?? 0;
}
