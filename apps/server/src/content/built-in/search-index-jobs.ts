import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { inOrganization, transactionAs, type Database } from '../../platform/database/database.ts';
import {
  handleJobs,
  JobInterrupted,
  RetryLater,
  type JobHandler,
  type JobKind,
} from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { indexQueuedItems, listOrganizationsToIndex } from './search-index.queries.ts';

const searchIndexJobs: JobKind<object> = {
  name: 'search_index',
  payload: z.strictObject({}),
  maxOpen: 1,
  atLimit: 'unavailable',
};

export interface SearchIndexDeps {
  db: Database;
  log: Pick<Log, 'warn'>;
}

/**
 * Writes what has changed into the index for searches; of all workers one at a time.
 * @param isSending  whether emails go out; without it, none do
 */
export const handleSearchIndex = ({
  isSending = () => false,
  ...deps
}: SearchIndexDeps & { isSending?: () => boolean }): JobHandler =>
  handleJobs(searchIndexJobs, {
    run: async (_job, signal) => {
      const rest = (workedMs: number) =>
        delay((isSending() ? restBesideSends : restAlone) * workedMs, undefined, { signal }).catch(
          () => undefined,
        );
      const failed = await indexItems(deps, signal, rest);
      if (signal.aborted) throw new JobInterrupted();
      if (failed > 0) throw new RetryLater(`The items of ${failed} organizations could not be indexed.`);
    },
    // An import is found by its index soon after it. Until then searches look at its items one by one.
    everyMs: 10_000,
    maxAttempts: 1,
    delaysMs: [60_000],
    concurrency: 1,
    perOrganization: 1,
  });

/**
 * So much longer than it works: after an import of very many contacts it takes a third of a core from screens, and a twentieth
 * of one from what is being sent. Indexing a contact costs as much as importing two.
 */
const restAlone = 2;
const restBesideSends = 19;

/** Those of one round; the others follow in the next. */
const maxOrganizations = 1_000;

/**
 * Takes turns: one that imports a million contacts does not keep the others waiting.
 * @param rest  after each transaction, with how long it took
 * @returns how many organizations failed; the others were indexed all the same
 */
export async function indexItems(
  { db, log }: SearchIndexDeps,
  signal: AbortSignal,
  rest: (workedMs: number) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  let failed = 0;
  const waiting = new Set(
    await transactionAs(db, {}, (trx) => listOrganizationsToIndex(trx, maxOrganizations)),
  );
  while (waiting.size > 0)
    for (const organization of waiting) {
      if (signal.aborted) return failed;
      const start = performance.now();
      try {
        const isDone = !(await inOrganization(db, organization, (trx) =>
          indexQueuedItems(trx, organization),
        ));
        if (isDone) waiting.delete(organization);
      } catch (error) {
        waiting.delete(organization);
        failed += 1;
        log.warn({ err: error, organization }, 'items could not be indexed for searches');
      }
      await rest(performance.now() - start);
    }
  return failed;
}
