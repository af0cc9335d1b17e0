import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../platform/database/database.ts';
import { isUnreachable } from '../platform/database/is-database-away.ts';
import { countAccounts, type Accounts } from './send-accounts.ts';

/** R7.1: every counter equals the number of its rows, and their sum never exceeds the total. */
export function assertBalanced(accounts: Accounts): void {
  assert.deepEqual(accounts.counters, accounts.rows);
  assert.deepEqual(accounts.totals, accounts.results);
  const [totals, results] = accounts.accepted;
  assert.deepEqual(totals, results);
  assert.ok(accounts.queued >= 0, `${accounts.queued} queued`);
}

export interface AccountsWatch {
  /** Number of readings so far, and the maximum of the uncertain counter. */
  readings: number;
  mostUncertain: number;
  /** @throws AssertionError when the counters did not balance at some reading */
  stop: () => Promise<void>;
}

/** Minimum pause between two readings. */
const pauseMs = 20;

/** Reads the counters of a running send repeatedly; skips readings while the database is unavailable. */
export function watchAccounts(owner: Database, sendId: string): AccountsWatch {
  const end = new AbortController();
  const watch: AccountsWatch = {
    readings: 0,
    mostUncertain: 0,
    stop: async () => {
      end.abort();
      await reading;
    },
  };
  const reading = (async () => {
    while (!end.signal.aborted) {
      const start = performance.now();
      const accounts = await unlessAway(() => countAccounts(owner, sendId));
      if (accounts !== undefined) {
        assertBalanced(accounts);
        watch.readings += 1;
        watch.mostUncertain = Math.max(watch.mostUncertain, accounts.counters.uncertain);
      }
      // Reads at most a sixth of the time, so that this does not slow down the send too much.
      await delay(Math.max(pauseMs, 5 * (performance.now() - start)));
    }
  })();
  // The rejection is handled in `stop`, which awaits it.
  reading.catch(() => undefined);
  return watch;
}

/** @returns undefined while the database is unavailable */
export async function unlessAway<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isUnreachable(error)) return undefined;
    throw error;
  }
}
