import type { Database } from '../database/database.ts';
import { errorName } from '../error-name.ts';
import type { Log } from '../log.ts';
import { JobFailed, JobInterrupted, JobProcessDied, RetryLater, type JobHandler } from './job-kind.ts';
import { storeJobResult, type JobResult, renewLeases, type JobRow } from './leases.queries.ts';

/** The jobs that this worker runs, by lease token. */
export class RunningJobs {
  readonly #options: { db: Database; log: Log; onEnd: () => void };
  readonly #jobs = new Map<string, { row: JobRow; abort: AbortController; ended: Promise<void> }>();

  /** Number of jobs that ended well, without the recurring ones, which end well in a worker that achieves nothing, too. */
  finished = 0;

  constructor(options: { db: Database; log: Log; onEnd: () => void }) {
    this.#options = options;
  }

  get leaseTokens(): string[] {
    return [...this.#jobs.keys()];
  }

  countOf(wanted: string): number {
    return [...this.#jobs.values()].filter(({ row }) => row.kind === wanted).length;
  }

  start(handler: JobHandler, row: JobRow): void {
    const { log, onEnd } = this.#options;
    const abort = new AbortController();
    const ended = attemptJob(log, handler, row, abort.signal)
      .then((result) => this.#store(row, result))
      // The database is unreachable. This worker still holds the lease and releases it at its next poll.
      .catch((error: unknown) =>
        log.warn({ err: error, job: row.id }, 'the result of a job cannot be stored'),
      )
      .finally(() => {
        this.#jobs.delete(row.lease_token);
        onEnd();
      });
    this.#jobs.set(row.lease_token, { row, abort, ended });
  }

  async #store(row: JobRow, result: JobResult): Promise<void> {
    await storeJobResult(this.#options.db, row, result);
    if (result.end === 'finished') this.finished += 1;
  }

  /** Renews all leases, including those taken under an earlier id. Aborts jobs that another worker has taken over. */
  async renew(workerId: number): Promise<void> {
    const tokens = this.leaseTokens;
    if (tokens.length === 0) return;
    const held = new Set(await renewLeases(this.#options.db, workerId, tokens));
    for (const token of tokens)
      if (!held.has(token)) this.#jobs.get(token)?.abort.abort(new Error('Another worker has this job.'));
  }

  /** Aborts all jobs and waits for them to end. */
  async stop(): Promise<void> {
    const reason = new Error('The worker stops.');
    for (const { abort } of this.#jobs.values()) abort.abort(reason);
    await Promise.all([...this.#jobs.values()].map(({ ended }) => ended));
  }

  /** Stores that the jobs were interrupted, although they still run. */
  async giveBack(): Promise<void> {
    for (const { row } of this.#jobs.values())
      await storeJobResult(this.#options.db, row, { end: 'interrupted' });
  }
}

/** After this many lost workers, the job is assumed to be what kills them. */
const maxLostLeases = 3;

/** A job whose `giveUp` fails, because of a defect, is retried for at most this many attempts beyond `maxAttempts`. */
const maxGiveUps = 10;

/** Runs a leased job once, or gives it up without running it. Never throws. */
async function attemptJob(
  log: Log,
  handler: JobHandler,
  row: JobRow,
  signal: AbortSignal,
): Promise<JobResult> {
  const { everyMs } = handler;
  const about = { job: row.id, kind: row.kind };
  if (row.lost_leases >= maxLostLeases)
    return await fail(`Its worker ended ${maxLostLeases} times while it ran.`);
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
    if (error instanceof JobProcessDied) return { end: 'died' };
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
        return { end: 'postponed', delayMs: handler.delayOf(row.attempts), error_content: reason };
    }
    return { end: 'failed', error_content: reason };
  }
}
