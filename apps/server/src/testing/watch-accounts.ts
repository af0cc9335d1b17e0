import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../platform/database/database.ts';
import { isUnreachable } from '../platform/database/is-database-away.ts';
import { countAccounts, type Accounts } from './send-accounts.ts';

/** R7.1: every counter equals the rows that it counts, and together they are never more than the total. */
export function assertBalanced(accounts: Accounts): void {
  assert.deepEqual(accounts.counters, accounts.rows);
  assert.deepEqual(accounts.totals, accounts.results);
  assert.ok(accounts.queued >= 0, `${accounts.queued} queued`);
}

export interface AccountsWatch {
  /** How often the books were read so far, and the most that was ever uncertain. */
  readings: number;
  mostUncertain: number;
  /** @throws AssertionError when the books did not balance at some reading */
  stop: () => Promise<void>;
}

/** Between two readings. */
const pauseMs = 8;

/** Reads the books of a send again and again while it goes on; not while the database is away. */
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
      // Half of the time at most, so that looking does not slow the send down too much.
      await delay(Math.max(pauseMs, performance.now() - start));
    }
  })();
  // It is awaited, and fails, in `stop`.
  reading.catch(() => undefined);
  return watch;
}

/** @returns undefined while the database is away */
export async function unlessAway<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isUnreachable(error)) return undefined;
    throw error;
  }
}
