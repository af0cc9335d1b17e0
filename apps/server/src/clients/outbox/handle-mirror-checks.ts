import { z } from 'zod';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { handleJobs, type JobHandler, type JobKind } from '../../platform/jobs/job-kind.ts';
import { enqueueMirroring } from './mirror-jobs.ts';
import { listForgotten } from './outbox.queries.ts';

const mirrorChecks: JobKind<object> = {
  name: 'mirror_check',
  payload: z.strictObject({}),
  maxOpen: 1,
  atLimit: 'unavailable',
};

const maxForgotten = 1_000;

/** Enqueues a job for changes that committed while the job of their organization was ending: these enqueue none. */
export const handleMirrorChecks = ({ db }: { db: Database }): JobHandler =>
  handleJobs(mirrorChecks, {
    run: async () => {
      for (const organizationId of await listForgotten(db, maxForgotten))
        await inOrganization(db, organizationId, (trx) => enqueueMirroring(trx, organizationId));
    },
    everyMs: 60_000,
    maxAttempts: 1,
    delaysMs: [60_000],
    concurrency: 1,
    perOrganization: 1,
  });
