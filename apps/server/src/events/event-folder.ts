import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { wasRolledBack, type PipelinedDatabase } from '../platform/database/pipelined.ts';
import type { Log } from '../platform/log.ts';
import { foldEvents, listOrganizationsToFold, readBacklog, reviewClicks } from './event-folder.queries.ts';
import { eventBacklog, maxUnfolded, type Subject } from './event-backlog.ts';

/** Longest pause after failures. */
const maxPauseMs = 10_000;
/** Events per transaction: less than a second of work. */
const batchRows = 10_000;
/** After a batch that took too long. */
const leastBatchRows = 100;
const maxBatchesPerTurn = 20;
/** Messages whose clicks are looked at again in a transaction. */
const batchMessages = 2_000;
/** After a failure, in turns. */
const reviewPause = 60;
/** Messages that failed are tried again after this time. */
const skipForMs = 86_400_000;

/** Whether the server cancelled a statement after its maximum time. */
const isTooSlow = (error: unknown): boolean => error instanceof DatabaseError && error.code === '57014';

const subjects: readonly Subject[] = ['message', 'visitor'];

export interface EventFolder {
  /** Resolves when the current batch is over. What waits then is folded by another process, or after the next start. */
  close(): Promise<void>;
}

/**
 * Folds appended events into counts and totals, every second and in large batches, and looks at clicks again (docs/tracking.md).
 * Only one process folds at a time; the others find nothing to do.
 */
export function startEventFolder(db: PipelinedDatabase, log: Log, everyMs = 1_000): EventFolder {
  const stop = new AbortController();
  const { signal } = stop;
  const rowsOf: Record<Subject, number> = { message: batchRows, visitor: batchRows };
  const reviews = { messages: batchMessages, skipped: 0, skipUntil: 0, notBefore: 0 };

  async function run(): Promise<void> {
    let pauseMs = everyMs;
    while (!signal.aborted) {
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      let isDone = true;
      for (const subject of subjects) isDone = (await foldSubject(subject)) && isDone;
      await reviewDueClicks();
      try {
        Object.assign(eventBacklog, await readBacklog(db));
      } catch (error) {
        log.warn({ err: error }, 'unfolded events not counted');
      }
      pauseMs = isDone ? everyMs : Math.min(2 * pauseMs, maxPauseMs);
    }
  }

  /** @returns whether nothing failed */
  async function foldSubject(subject: Subject): Promise<boolean> {
    try {
      await foldBatches(subject);
      return true;
    } catch (error) {
      log.warn({ err: error, subject, rows: rowsOf[subject] }, 'events not folded');
      if (!wasRolledBack(error)) return false;
      if (isTooSlow(error) && rowsOf[subject] > leastBatchRows) {
        rowsOf[subject] = Math.max(leastBatchRows, Math.ceil(rowsOf[subject] / 4));
        return true;
      }
    }
    try {
      // One organization’s events must not hold up those of the others.
      for (const organizationId of await listOrganizationsToFold(db, subject)) {
        if (signal.aborted) return false;
        await foldBatches(subject, organizationId).catch((error: unknown) => {
          if (!wasRolledBack(error)) throw error;
          log.error({ err: error, subject, organizationId }, 'events of an organization not folded');
        });
      }
    } catch (error) {
      log.warn({ err: error, subject }, 'events not folded');
    }
    return false;
  }

  async function foldBatches(subject: Subject, organizationId?: string): Promise<void> {
    for (let batch = 0; batch < maxBatchesPerTurn && !signal.aborted; batch += 1) {
      const started = performance.now();
      const rows = rowsOf[subject];
      const isLast = (await foldEvents(db, subject, rows, organizationId)) < rows;
      rowsOf[subject] = Math.min(batchRows, Math.ceil(1.1 * rows));
      if (isLast) return;
      // What comes in faster than it is folded is stored first, as long as there is room for it.
      if (eventBacklog.unfolded[subject] > maxUnfolded / 2) continue;
      await delay(performance.now() - started, undefined, { signal }).catch(() => undefined);
      Object.assign(eventBacklog, await readBacklog(db));
    }
  }

  /** What fails is tried again a minute later, with fewer messages. One that fails alone holds up none of those behind it. */
  async function reviewDueClicks(): Promise<void> {
    if (performance.now() < reviews.notBefore) return;
    if (performance.now() > reviews.skipUntil) reviews.skipped = 0;
    const { messages, skipped } = reviews;
    try {
      while (!signal.aborted && (await reviewClicks(db, messages, skipped)) >= messages);
      reviews.messages = batchMessages;
    } catch (error) {
      log.warn({ err: error, messages, skipped }, 'clicks not looked at again');
      const now = performance.now();
      reviews.notBefore = now + reviewPause * everyMs;
      if (messages > 1 || !wasRolledBack(error)) reviews.messages = Math.ceil(messages / 4);
      else
        Object.assign(reviews, { messages: batchMessages, skipped: skipped + 1, skipUntil: now + skipForMs });
    }
  }

  const running = run();
  return {
    close: async () => {
      stop.abort();
      await running;
    },
  };
}
