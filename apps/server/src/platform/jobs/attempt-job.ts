import { errorName } from '../error-name.ts';
import type { Log } from '../log.ts';
import { JobFailed, JobInterrupted, RetryLater, type JobHandler } from './job-kind.ts';
import type { JobResult } from './job-results.queries.ts';
import type { JobRow } from './leases.queries.ts';

/** After this many lost workers in a row, the job is assumed to be what kills them. */
const maxLostLeases = 3;

/** A job whose `giveUp` fails, because of a defect, is retried for at most this many attempts beyond `maxAttempts`. */
const maxGiveUps = 10;

/** Runs a leased job once, or gives it up without running it. Never throws. */
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
      // Otherwise the module would never learn of the failure, and its record would wait forever.
      if (!(error instanceof JobFailed) && row.attempts < handler.maxAttempts + maxGiveUps)
        return { end: 'not_given_up', delayMs: handler.delayOf(row.attempts), error_content: reason };
    }
    return { end: 'failed', error_content: reason };
  }
}
