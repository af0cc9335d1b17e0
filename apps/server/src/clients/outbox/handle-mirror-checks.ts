import { inOrganization, type Database } from '../../platform/database/database.ts';
import { handleRecurringJob, type JobHandler } from '../../platform/jobs/job-kind.ts';
import { enqueueMirroring } from './mirror-jobs.ts';
import { listForgotten } from './outbox.queries.ts';

const maxForgotten = 1_000;

/** Enqueues a job for changes that committed while the job of their organization was ending: these enqueue none. */
export const handleMirrorChecks = ({ db }: { db: Database }): JobHandler =>
  handleRecurringJob('mirror_check', 60_000, async () => {
    for (const organizationId of await listForgotten(db, maxForgotten))
      await inOrganization(db, organizationId, (trx) => enqueueMirroring(trx, organizationId));
  });
