import { setTimeout as delay } from 'node:timers/promises';
import { rowsOf, type Database } from '../../apps/server/src/platform/database/database.ts';

/** Waits until nothing is left to fold, so that one side does not pay for the events of another. */
export async function waitForFold(owner: Database): Promise<void> {
  for (;;) {
    const rows = await rowsOf<{ count: number }>(owner)`
      select coalesce(sum(count), 0)::int as count from count_unfolded_events(1)
    `;
    if (rows[0]!.count === 0) return;
    await delay(100);
  }
}
