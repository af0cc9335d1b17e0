import { beginImport } from './upsert-items.queries.ts';
import { z } from 'zod';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { enqueueJob, keepJob } from '../../platform/jobs/enqueue-job.ts';
import {
  handleJobs,
  JobFailed,
  JobInterrupted,
  type Job,
  type JobHandler,
  type JobKind,
} from '../../platform/jobs/job-kind.ts';
import { findFields } from './collections.queries.ts';
import { deleteClaims, lockFields, stripValues, type FieldKey } from './fields.queries.ts';

interface Payload {
  collection: string;
  field: string;
}

/** Removes the values of deleted fields from the items, of which there may be a million. */
export const fieldRemovalJobs: JobKind<Payload> = {
  name: 'field_removal',
  payload: z.strictObject({ collection: z.string(), field: z.string() }),
  maxOpen: 500,
  atLimit: 'unavailable',
};

/** No field with this name can be created while a job with this key is open. */
export const keyOfRemoval = ({ collection, field }: Payload): string => `${collection} ${field}`;

export const removeValues = (
  trx: Transaction,
  { organizationId, collection, field }: FieldKey,
): Promise<void> => {
  const payload = { collection, field };
  return enqueueJob(trx, fieldRemovalJobs, { organizationId, key: keyOfRemoval(payload), payload });
};

const itemsAtOnce = 2_000;

export const handleFieldRemovals = ({ db }: { db: Database }): JobHandler =>
  handleJobs(fieldRemovalJobs, {
    run: (job, signal) => strip(db, job, signal),
    maxAttempts: 20,
    delaysMs: [1_000, 10_000, 60_000, 600_000],
    concurrency: 1,
    perOrganization: 1,
  });

async function strip(db: Database, job: Job<Payload>, signal: AbortSignal): Promise<void> {
  const { organizationId, payload } = job;
  if (organizationId === null) throw new JobFailed('A field belongs to an organization.');
  const key = { organizationId, ...payload };
  /** @returns undefined when nothing is left to do */
  const step = <T>(work: (trx: Transaction) => Promise<T | undefined>) =>
    inOrganization(db, organizationId, async (trx) => {
      if (signal.aborted || !(await keepJob(trx, job))) throw new JobInterrupted();
      // A late retry must not strip a field that was created again in the meantime.
      await beginImport(trx);
      await lockFields(trx, key, 'write items');
      const fields = await findFields(trx, organizationId, key.collection);
      return fields?.some(({ name }) => name === key.field) === false ? await work(trx) : undefined;
    });
  for (let afterId: string | undefined = ''; afterId !== undefined;) {
    const from: string = afterId;
    afterId = await step((trx) => stripValues(trx, key, from, itemsAtOnce));
  }
  let deleted: number | undefined;
  do deleted = await step((trx) => deleteClaims(trx, key, itemsAtOnce));
  while (deleted === itemsAtOnce);
}
