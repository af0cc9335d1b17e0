import type { SuppressionLift } from '@reachout/contract/suppressions.ts';
import { z } from 'zod';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob, keepJob } from '../../platform/jobs/enqueue-job.ts';
import {
  handleJobs,
  JobFailed,
  JobInterrupted,
  type Job,
  type JobHandler,
  type JobKind,
} from '../../platform/jobs/job-kind.ts';
import { findBrandName } from './subscription.queries.ts';
import { countSuppressions } from './suppression-list.queries.ts';
import {
  insertLift,
  liftBatch,
  listLifts,
  sendExists,
  updateLift,
  type LiftCriteria,
  type LiftPosition,
} from './suppression-lift.queries.ts';

// Lifts many suppressions at once, for example after a mail server rejected everything for a reason of its own. The first
// batch is lifted in the transaction of the request, all others by a job.

interface Payload {
  lift_id: string;
}

export const suppressionLiftJobs: JobKind<Payload> = {
  name: 'suppression_lift',
  payload: z.strictObject({ lift_id: z.string() }),
  maxOpen: 20,
  atLimit: 'unavailable',
};

const batchRows = 2_000;

interface RequestedLift {
  organizationId: string;
  userId: string;
  basis: string;
  expectedCount: number;
  criteria: LiftCriteria;
}

/** @throws 409 `suppressions_changed` if the criteria find another number; 422 on `brand_id` and `send_id` */
export async function liftSuppressionsOf(trx: Transaction, request: RequestedLift): Promise<SuppressionLift> {
  const { organizationId, userId, basis, expectedCount, criteria } = request;
  if (criteria.brand_id !== undefined && (await findBrandName(trx, criteria.brand_id)) === undefined)
    throw invalidInput('brand_id', 'There is no such brand.');
  if (criteria.send_id !== undefined && !(await sendExists(trx, criteria.send_id)))
    throw invalidInput('send_id', 'There is no such send.');
  const { liftable_count: totalCount } = await countSuppressions(trx, criteria);
  if (totalCount !== expectedCount)
    throw apiError('suppressions_changed', { expected: expectedCount, actual: totalCount });
  const id = newId();
  await insertLift(trx, { id, basis, createdBy: userId, totalCount }, criteria);
  const key = { organizationId, id };
  if ((await liftNext(trx, key, undefined)) !== undefined)
    await enqueueJob(trx, suppressionLiftJobs, { organizationId, key: id, payload: { lift_id: id } });
  const [lift] = await listLifts(trx, { id, limit: 1 });
  return lift!;
}

/** @returns the position of the next batch; undefined if this was the last one */
async function liftNext(
  trx: Transaction,
  key: { organizationId: string; id: string },
  after: LiftPosition | undefined,
): Promise<LiftPosition | undefined> {
  const { lifted_count, last } = await liftBatch(trx, key, { after, limit: batchRows });
  await updateLift(trx, key, { liftedCount: lifted_count, isFinished: last === undefined });
  return last;
}

export const handleSuppressionLifts = ({ db }: { db: Database }): JobHandler =>
  handleJobs(suppressionLiftJobs, {
    run: (job, signal) => continueLift(db, job, signal),
    maxAttempts: 20,
    delaysMs: [1_000, 10_000, 60_000, 600_000],
    concurrency: 1,
    perOrganization: 1,
  });

async function continueLift(db: Database, job: Job<Payload>, signal: AbortSignal): Promise<void> {
  const { organizationId, payload } = job;
  if (organizationId === null) throw new JobFailed('Suppressions belong to an organization.');
  const key = { organizationId, id: payload.lift_id };
  let after: LiftPosition | undefined;
  do
    after = await inOrganization(db, organizationId, async (trx) => {
      if (signal.aborted || !(await keepJob(trx, job))) throw new JobInterrupted();
      return await liftNext(trx, key, after);
    });
  while (after !== undefined);
}
