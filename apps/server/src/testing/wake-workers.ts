import type { Database } from '../platform/database/database.ts';
import { notifyWorkers } from '../platform/database/notify.ts';

const everyMs = 50;

/**
 * For tests that wait for a worker: it looks once a second by itself, and they would spend most of their time with that.
 * @returns called again and again, has it look every 50 ms at most
 */
export function createWaker(owner: Database): () => Promise<void> {
  let wokenAt = 0;
  return async () => {
    if (performance.now() - wokenAt < everyMs) return;
    wokenAt = performance.now();
    await owner.transaction().execute(notifyWorkers);
  };
}
