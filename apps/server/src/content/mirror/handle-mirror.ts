import { mirrorJobs } from '../../clients/outbox/mirror-jobs.ts';
import { giveUpChanges } from '../../clients/outbox/outbox.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { handleJobs, JobFailed, type JobHandler } from '../../platform/jobs/job-kind.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { mirrorChanges, type MirrorCounts } from './mirror-changes.ts';

export interface MirrorJobDeps extends DirectusDeps {
  db: Database;
  counts: MirrorCounts;
}

/** Retries an unavailable Directus for about a day. */
export const handleMirror = ({ db, ...deps }: MirrorJobDeps): JobHandler =>
  handleJobs(mirrorJobs, {
    run: async (job, signal) => {
      const { organizationId } = job;
      if (organizationId === null) throw new JobFailed('A content backend belongs to an organization.');
      const run = <T>(work: (trx: Transaction) => Promise<T>) => inOrganization(db, organizationId, work);
      await mirrorChanges({ ...deps, run }, organizationId, job, signal);
    },
    giveUp: async ({ organizationId }) => {
      if (organizationId !== null)
        await inOrganization(db, organizationId, (trx) => giveUpChanges(trx, organizationId));
    },
    maxAttempts: 30,
    delaysMs: [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000],
    concurrency: 4,
    perOrganization: 1,
  });
