import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import { attemptJob } from './attempt-job.ts';
import type { JobHandler } from './job-kind.ts';
import { storeJobResult, type JobResult } from './job-results.queries.ts';
import { renewLeases, type JobRow } from './leases.queries.ts';

/** The jobs that this worker runs, by lease token. */
export class RunningJobs {
  readonly #options: { db: Database; log: Log; onEnd: () => void };
  readonly #jobs = new Map<string, { kind: string; abort: AbortController; ended: Promise<void> }>();

  /** Number of jobs that ended well, without the recurring ones, which end well in a worker that achieves nothing, too. */
  finished = 0;

  constructor(options: { db: Database; log: Log; onEnd: () => void }) {
    this.#options = options;
  }

  get leaseTokens(): string[] {
    return [...this.#jobs.keys()];
  }

  countOf(wanted: string): number {
    return [...this.#jobs.values()].filter(({ kind }) => kind === wanted).length;
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
    this.#jobs.set(row.lease_token, { kind: row.kind, abort, ended });
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
}
