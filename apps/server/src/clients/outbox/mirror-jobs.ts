import { z } from 'zod';
import { inOrganization, type Transaction, type Database } from '../../platform/database/database.ts';
import { enqueueJob, hastenJob, isJobOpen } from '../../platform/jobs/enqueue-job.ts';
import { handleRecurringJob, type JobKind, type JobHandler } from '../../platform/jobs/job-kind.ts';
import { tryLockEnqueueing, listForgotten } from './outbox.queries.ts';

/** Writes the changed records of an organization to its content backend (content/mirror). */
export const mirrorJobs: JobKind<object> = {
  name: 'mirror',
  payload: z.strictObject({}),
  // At most one is open, since all have the same key; reaching this bound would reject the change itself.
  maxOpen: 2,
  atLimit: 'unavailable',
};

const key = 'changes';

/**
 * Does nothing while a job is waiting, including for its next attempt, or while another transaction enqueues one. Never
 * waits for a lock: two transactions that change several records could deadlock.
 */
export async function enqueueMirroring(trx: Transaction, organizationId: string): Promise<void> {
  if (await isJobOpen(trx, mirrorJobs, { organizationId, key })) return;
  if (await tryLockEnqueueing(trx, organizationId))
    await enqueueJob(trx, mirrorJobs, { organizationId, key, payload: {} });
}

/** Like `enqueueMirroring`, but runs the job at once, even if its next attempt is due later. */
export async function mirrorNow(trx: Transaction, organizationId: string): Promise<void> {
  await enqueueMirroring(trx, organizationId);
  await hastenJob(trx, mirrorJobs, { organizationId, key });
}

const maxForgotten = 1_000;

/** Enqueues a job for changes that committed while the job of their organization was ending: these enqueue none. */
export const handleMirrorChecks = ({ db }: { db: Database }): JobHandler =>
  handleRecurringJob('mirror_check', 60_000, async () => {
    for (const organizationId of await listForgotten(db, maxForgotten))
      await inOrganization(db, organizationId, (trx) => enqueueMirroring(trx, organizationId));
  });
