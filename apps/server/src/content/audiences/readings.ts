import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AudienceReading } from '@reachout/contract/filters.ts';
import { tooManyRecords } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob, hastenJob } from '../../platform/jobs/enqueue-job.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import type { Audience } from './audience.ts';
import { listContactFields } from './contact-collection.ts';
import {
  countReadings,
  insertReading,
  listReadings,
  lockReadingOfSend,
  updateReading,
  type ReadingKey,
  type ReadingRow,
} from './readings.queries.ts';

/** Of one organization, for numbers. */
const maxReadings = 100;
/** Contacts that people look at the numbers of are kept so long. */
export const keptForNumbersMs = 3_600_000;
/** Those of a send are taken long before. */
export const keptForSendMs = 2 * 86_400_000;

interface Payload {
  reading_id: string;
}
const payload = z.strictObject({ reading_id: z.string() });

/** Reads the contacts of a rule, page by page, from a remote content backend. */
export const readingJobs: JobKind<Payload> = {
  name: 'audience_reading',
  payload,
  maxOpen: 200,
  atLimit: 'unavailable',
};

/** Deletes what was read, once nobody needs it any more. */
export const readingRemovalJobs: JobKind<Payload> = {
  name: 'audience_reading_removal',
  payload,
  maxOpen: 10_000,
  atLimit: 'unavailable',
};

const jobOf = ({ organizationId, readingId }: ReadingKey) => ({
  organizationId,
  key: readingId,
  payload: { reading_id: readingId },
});

type Source = Pick<Audience, 'collection' | 'endpoint' | 'field_mapping'> & { source: unknown };

/** Whoever asks for the same contacts sees the same numbers. */
const hashOf = ({ endpoint, collection, source }: Source): string =>
  createHash('sha256')
    .update(JSON.stringify([endpoint, collection, source]))
    .digest('hex');

async function beginReading(
  trx: Transaction,
  organizationId: string,
  audience: Source,
  { sendId, fields }: { sendId: string | null; fields: readonly string[] | null },
): Promise<void> {
  const { endpoint, collection, source, field_mapping } = audience;
  if (endpoint === null) throw new Error('Contacts of the built-in content backend are not read first.');
  const { email, unsubscribed } = field_mapping;
  const known = fields ?? (await listContactFields(trx, organizationId, audience)).map(({ name }) => name);
  const read = new Set([...known, email, ...(unsubscribed === null ? [] : [unsubscribed])]);
  // Each contact comes with its key.
  read.delete('id');
  const key = { organizationId, readingId: newId() };
  const isNew = await insertReading(trx, {
    id: key.readingId,
    organization_id: organizationId,
    send_id: sendId,
    endpoint,
    collection,
    rule: source,
    fields: [...read],
    rule_hash: hashOf(audience),
  });
  if (isNew) await enqueueJob(trx, readingJobs, jobOf(key));
}

/** Reads the contacts of an audience for its numbers, with all fields, unless that is under way. @throws 409 `too_many_records` */
export async function readForNumbers(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
): Promise<void> {
  const [newest] = await listReadings(trx, organizationId, hashOf(audience));
  if (newest?.state === 'reading') return;
  if ((await countReadings(trx, organizationId)) >= maxReadings) throw tooManyRecords(maxReadings);
  await beginReading(trx, organizationId, audience, { sendId: null, fields: null });
}

export interface FoundReading {
  /** Of the last one that is complete. */
  readingId: string | undefined;
  reading: Omit<AudienceReading, 'live_count'>;
}

/** What was read of an audience for its numbers, and whether it is being read again. */
export async function findReading(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
): Promise<FoundReading> {
  const readings = await listReadings(trx, organizationId, hashOf(audience));
  const [newest] = readings;
  const ready = readings.find(({ state }) => state === 'ready');
  return {
    readingId: ready?.id,
    reading: {
      state: newest?.state === 'reading' || newest?.state === 'failed' ? newest.state : 'idle',
      read_at: ready?.began_at ?? null,
      contacts_read: newest?.contact_count ?? 0,
      error_content: newest?.error_content ?? null,
    },
  };
}

/** What a send sees of its reading. */
export type SendReading = Pick<ReadingRow, 'id' | 'organization_id' | 'state' | 'failure' | 'error_content'>;

/**
 * The contacts of a send that is being prepared. They are read once: who was read gets the message, whatever changes later.
 * @param fields  those that the message uses; null: all
 */
export async function findReadingOfSend(
  trx: Transaction,
  organizationId: string,
  sendId: string,
  audience: Source,
  fields: readonly string[] | null,
): Promise<SendReading> {
  const found = await lockReadingOfSend(trx, organizationId, sendId);
  if (found !== undefined) return found;
  await beginReading(trx, organizationId, audience, { sendId, fields });
  return (await lockReadingOfSend(trx, organizationId, sendId))!;
}

/** From now on nobody needs the contacts any more. */
export async function endReading(trx: Transaction, { organization_id, id }: SendReading): Promise<void> {
  const key = { organizationId: organization_id, readingId: id };
  await updateReading(trx, key, { state: 'over' });
  await removeLater(trx, key, 0);
  await hastenJob(trx, readingRemovalJobs, { organizationId: organization_id, key: id });
}

export const removeLater = (trx: Transaction, key: ReadingKey, delayMs: number): Promise<void> =>
  enqueueJob(trx, readingRemovalJobs, { ...jobOf(key), delayMs });
