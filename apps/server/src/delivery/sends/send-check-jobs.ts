import { z } from 'zod';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { handleJobs, type JobHandler, type JobKind } from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { listStuckSends, listUnbalancedSends, makeDue } from '../queue/send-checks.queries.ts';

const sendChecks: JobKind<object> = {
  name: 'send_check',
  payload: z.strictObject({}),
  maxOpen: 1,
  atLimit: 'unavailable',
};

/** How often the job has found each, since the worker started. */
export interface SendFaults {
  stuck: number;
  unbalanced: number;
}

export interface SendCheckDeps {
  db: Database;
  log: Pick<Log, 'error'>;
  faults: SendFaults;
}

/** Looks for what should never be in the sends of all organizations; of all workers one at a time. */
export const handleSendChecks = (deps: SendCheckDeps): JobHandler =>
  handleJobs(sendChecks, {
    run: () => checkSends(deps),
    everyMs: 5 * 60_000,
    maxAttempts: 1,
    delaysMs: [60_000],
    concurrency: 1,
    perOrganization: 1,
  });

/**
 * Lets sends go on that have work and were not due, which would otherwise be stuck for ever, and says which sends have ended
 * with counters that are not those of their rows. Both are faults of the server: each is an error in the log.
 */
export async function checkSends({ db, log, faults }: SendCheckDeps): Promise<void> {
  for (const { organizationId, sendId } of await listStuckSends(db)) {
    const isWoken = await inOrganization(db, organizationId, async (trx) => {
      if (!(await makeDue(trx, sendId))) return false;
      await notifyWorkers(trx);
      return true;
    });
    if (!isWoken) continue;
    faults.stuck += 1;
    log.error({ organization: organizationId, send: sendId }, 'send had work but was not due; it goes on');
  }
  for (const { organizationId, sendId, counters, rows } of await listUnbalancedSends(db)) {
    faults.unbalanced += 1;
    log.error(
      { organization: organizationId, send: sendId, counters, rows },
      'send has ended, and its counters are not those of its rows',
    );
  }
}
