import { inOrganization, type Database } from '../../platform/database/database.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { handleRecurringJob, type JobHandler } from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { listStuckSends, listUnbalancedSends, makeDue } from '../../queue/send-checks.queries.ts';

/** Number of faults that the job has found since the worker started. */
export interface SendFaults {
  stuck: number;
  unbalanced: number;
}

export interface SendCheckDeps {
  db: Database;
  log: Pick<Log, 'error'>;
  faults: SendFaults;
}

/** Checks the sends of all organizations for faults that should never occur. One worker at a time runs it. */
export const handleSendChecks = (deps: SendCheckDeps): JobHandler =>
  handleRecurringJob('send_check', 5 * 60_000, () => checkSends(deps));

/**
 * Makes sends due that have work but were not due, and would otherwise be stuck permanently, and reports ended sends whose
 * counters do not match their rows. Both are faults of the server, and each is logged as an error.
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
