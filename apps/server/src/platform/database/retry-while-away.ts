import { setTimeout as delay } from 'node:timers/promises';
import { LimitExceeded } from '../limit-exceeded.ts';
import type { Log } from '../log.ts';
import { isDatabaseAway } from './is-database-away.ts';

/** Whether an error says that a retry may succeed. */
export const isTemporary = (error: unknown): boolean =>
  isDatabaseAway(error) || error instanceof LimitExceeded;

const retryMs = 1_000;
const limitMs = 60_000;

/**
 * For the start of a process, which is no request that its user could repeat: repeats `work` while the database is away, or the
 * machine too busy, for up to a minute.
 * @param work  may run several times
 * @throws the last error
 */
export async function retryWhileAway<T>(what: string, log: Log, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error) || performance.now() - startedAt > limitMs) throw error;
      log.warn({ err: error }, `${what} waits`);
      await delay(retryMs);
    }
  }
}
