import { setTimeout as delay } from 'node:timers/promises';
import { inOrganization, transactionAs, type Database } from '../../platform/database/database.ts';
import {
  handleRecurringJob,
  JobInterrupted,
  RetryLater,
  type JobHandler,
} from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { indexQueuedItems, listOrganizationsToIndex } from './search-index.queries.ts';

export interface SearchIndexDeps {
  db: Database;
  log: Pick<Log, 'warn'>;
}

/**
 * Updates the search index with changed items; only one worker at a time.
 * @param isSending  whether emails are being sent; default: never
 */
export const handleSearchIndex = ({
  isSending = () => false,
  ...deps
}: SearchIndexDeps & { isSending?: () => boolean }): JobHandler =>
  handleRecurringJob(
    'search_index',
    // Imported items are indexed soon after the import. Until then, searches check them one by one.
    10_000,
    async (_job, signal) => {
      const rest = (workedMs: number) =>
        delay((isSending() ? restBesideSends : restAlone) * workedMs, undefined, { signal }).catch(
          () => undefined,
        );
      const failed = await indexItems(deps, signal, rest);
      if (signal.aborted) throw new JobInterrupted();
      if (failed > 0) throw new RetryLater(`The items of ${failed} organizations could not be indexed.`);
    },
  );

/**
 * Length of each pause as a multiple of the work before it: after a very large import, indexing takes a third of a core away
 * from screens, and a twentieth of one while emails are sent. Indexing a contact costs as much as importing two.
 */
const restAlone = 2;
const restBesideSends = 19;

/** Maximum organizations per run; the others follow in the next one. */
const maxOrganizations = 1_000;

/**
 * Indexes organizations round robin, so that one that imports a million contacts does not delay the others.
 * @param rest  called after each transaction with its duration in milliseconds
 * @returns the number of organizations that failed; the others are indexed nevertheless
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
