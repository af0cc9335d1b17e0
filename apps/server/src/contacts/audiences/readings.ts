import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AudienceReading } from '@reachout/contract/filters.ts';
import { tooManyRecords } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob, hastenJob } from '../../platform/jobs/enqueue-job.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import type { Audience, StoredAudience } from './audience.ts';
import { listContactFields } from '../../content/gateway/contact-collection.ts';
import {
  countReadings,
  insertReading,
  listReadings,
  lockReadingOfSend,
  updateReading,
  type ReadingKey,
  type ReadingRow,
} from './readings.queries.ts';

/** Maximum readings for audience numbers per organization. */
const maxReadings = 100;
/** How long contacts read for audience numbers are kept. */
export const keptForNumbersMs = 3_600_000;
/** How long contacts read for a send are kept; the send takes them long before. */
export const keptForSendMs = 2 * 86_400_000;

interface Payload {
  reading_id: string;
}
const payload = z.strictObject({ reading_id: z.string() });

/** Jobs that read the contacts of a rule from a remote content backend, page by page. */
export const readingJobs: JobKind<Payload> = {
  name: 'audience_reading',
  payload,
  maxOpen: 200,
  atLimit: 'unavailable',
};

/** Jobs that delete read contacts when they are no longer needed. */
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

type Source = Pick<Audience, 'collection' | 'endpoint'> &
  Pick<StoredAudience, 'field_mapping'> & { source: unknown };

/** Hash of the selection, so that all requests for the same contacts share one reading. */
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
  const known = fields ?? (await listContactFields(trx, organizationId, audience)).map(({ name }) => name);
  const mapped = Object.values(field_mapping).filter((name) => typeof name === 'string');
  const read = new Set([...known, ...mapped]);
  // The key is always read.
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

/** Starts reading an audience's contacts with all fields for its numbers, unless running. @throws 409 `too_many_records` */
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
  /** Id of the last complete reading. */
  readingId: string | undefined;
  reading: Omit<AudienceReading, 'live_count'>;
}

/** Finds the last complete reading for an audience's numbers, and whether it is being read again. */
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

/** The part of a reading that a send uses. */
export type SendReading = Pick<ReadingRow, 'id' | 'organization_id' | 'state' | 'failure' | 'error_content'>;

/**
 * Finds or starts the reading of a send that is being prepared. The contacts are read once; later changes do not affect who
 * receives the message.
 * @param fields  fields that the message uses; null for all
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

/** Marks the read contacts as no longer needed and queues the job that deletes them. */
export async function endReading(trx: Transaction, { organization_id, id }: SendReading): Promise<void> {
  const key = { organizationId: organization_id, readingId: id };
  await updateReading(trx, key, { state: 'over' });
  await removeLater(trx, key, 0);
  await hastenJob(trx, readingRemovalJobs, { organizationId: organization_id, key: id });
}

export const removeLater = (trx: Transaction, key: ReadingKey, delayMs: number): Promise<void> =>
  enqueueJob(trx, readingRemovalJobs, { ...jobOf(key), delayMs });
