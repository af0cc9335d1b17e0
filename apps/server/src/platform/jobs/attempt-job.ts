import { errorName } from '../error-name.ts';
import type { Log } from '../log.ts';
import { JobFailed, JobInterrupted, RetryLater, type JobHandler } from './job-kind.ts';
import type { JobResult } from './job-results.queries.ts';
import type { JobRow } from './leases.queries.ts';

/** A job whose worker ended so often in a row while it ran is taken for what ends it. */
const maxLostLeases = 3;

/** A job that cannot even be given up, because of a defect, is left as it is after so many attempts beyond its last. */
const maxGiveUps = 10;

/** Runs a leased job once, or gives it up without that. Never throws. */
export async function attemptJob(
  log: Log,
  handler: JobHandler,
  row: JobRow,
  signal: AbortSignal,
): Promise<JobResult> {
  const { everyMs } = handler;
  const about = { job: row.id, kind: row.kind };
  if (row.lost_leases >= maxLostLeases)
    return await fail(`Its worker ended ${maxLostLeases} times in a row while it ran.`);
  if (row.attempts > handler.maxAttempts)
    return await fail(row.error_content ?? 'Its worker ended while it ran.');
  try {
    await handler.run(row, signal);
    return everyMs === undefined
      ? { end: 'finished' }
      : { end: 'repeated', delayMs: everyMs, error_content: null };
  } catch (error) {
    if (error instanceof JobInterrupted) return { end: 'interrupted' };
    if (error instanceof JobFailed) return await fail(error.message);
    if (!(error instanceof RetryLater)) log.error({ ...about, err: error }, 'job failed');
    const reason = error instanceof RetryLater ? error.message : errorName(error);
    if (row.attempts >= handler.maxAttempts) return await fail(reason);
    return { end: 'postponed', delayMs: handler.delayOf(row.attempts), error_content: reason };
  }

  async function fail(reason: string): Promise<JobResult> {
    if (everyMs !== undefined) {
      log.error({ ...about, reason }, 'scheduled job failed');
      return { end: 'repeated', delayMs: everyMs, error_content: reason };
    }
    log.error({ ...about, reason }, 'job is given up');
    try {
      await handler.giveUp(row, reason);
    } catch (error) {
      log.error({ ...about, err: error }, 'job cannot be given up');
      // Else the module would never learn of it, and its record would wait for ever.
      if (!(error instanceof JobFailed) && row.attempts < handler.maxAttempts + maxGiveUps)
        return { end: 'not_given_up', delayMs: handler.delayOf(row.attempts), error_content: reason };
    }
    return { end: 'failed', error_content: reason };
  }
}
