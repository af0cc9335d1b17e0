import type { Database } from '../platform/database/database.ts';
import { notifyWorkers } from '../platform/database/notify.ts';

const everyMs = 50;

/**
 * For tests that wait for a worker: it polls once a second by itself, so they would spend most of their time waiting.
 * @returns a function that notifies workers, at most every 50 ms
 */
export function createWaker(owner: Database): () => Promise<void> {
  let wokenAt = 0;
  return async () => {
    if (performance.now() - wokenAt < everyMs) return;
    wokenAt = performance.now();
    await owner.transaction().execute(notifyWorkers);
  };
}
