import { ORPCError } from '@orpc/contract';
import type { Item } from '@reachout/contract/content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ContentBackend } from '../../content/backend/content-backend.ts';
import { suppressErased, type AddressHashes } from '../consent/erased-addresses.ts';
import { addressKeyOf } from '../consent/subscription.ts';
import { toStorableItem } from '../../content/backend/storable-item.ts';
import { insertContacts, listSeen, updateReading, type ReadingRow } from './readings.queries.ts';

/** Contacts per page. The size is halved when a page is too large for a response. */
const pageSize = 500;
const smallestPage = 5;
/** Maximum pages per reading: enough for a million contacts and some repeated pages. */
const maxPages = 20_000;
const maxContacts = 1_000_000;
const maxBytes = 2_000_000_000;
/** Maximum passes: contacts that are missing after one pass are searched for in the next. */
const maxPasses = 3;
const maxHours = 6;

/** A permanent failure: a retry would fail in the same way. The message is shown to users. */
export class CannotRead extends Error {
  override name = 'CannotRead';
}

export interface ReadingSource {
  /** The reading with the progress of earlier attempts. */
  reading: ReadingRow;
  backend: ContentBackend;
  secrets: AddressHashes;
  /**
   * Whether keys are numeric and can be compared, so that a page starts after the last key. Other collections are read by
   * offset: a page then starts with the last contact of the previous page, to detect whether contacts have moved.
   */
  isOrdered: boolean;
  /**
   * Runs a short transaction after each request, which counts as progress.
   * @returns the updated reading; undefined if reading is to stop
   */
  step: (work: (trx: Transaction) => Promise<void>) => Promise<ReadingRow | undefined>;
}

/**
 * Reads the contacts that a rule selects, resuming where an earlier attempt stopped. Each page is one request followed
 * by a short transaction. Reads every contact that matches from the first page to the last, even while others are
 * added, deleted or changed.
 * @throws CannotRead; errors of the backend
 */
export async function readContacts({
  backend,
  isOrdered,
  step,
  secrets,
  ...from
}: ReadingSource): Promise<void> {
  const key = { organizationId: from.reading.organization_id, readingId: from.reading.id };
  let size = pageSize;
  let reading: ReadingRow | undefined = from.reading;
  while (reading !== undefined) {
    checkBounds(reading);
    const { collection, rule: filter } = reading;
    const count = () => backend.countItems(collection, { filter });
    if (reading.expected_count === null) {
      const expected_count = await count();
      checkBounds({ ...reading, contact_count: expected_count });
      reading = await step((trx) => updateReading(trx, key, { expected_count }));
      continue;
    }
    const page: Item[] | undefined = await readPage(backend, reading, { isOrdered, size });
    if (page === undefined) {
      if (size <= smallestPage) throw new CannotRead('The contacts are too large to be read.');
      size = Math.ceil(size / 2);
      continue;
    }
    let isLast = false;
    const before: ReadingRow = reading;
    reading = await step(async (trx) => {
      isLast = await storePage(trx, before, page, { isOrdered, size, secrets });
    });
    if (!isLast || reading === undefined) continue;
    const now = await count();
    const { expected_count, seen_count, pass } = reading;
    const isComplete = seen_count >= Math.min(expected_count ?? now, now);
    if (!isComplete && pass >= maxPasses)
      throw new CannotRead(
        'The content backend does not list all of its contacts, or too many of them change at the same time.',
      );
    reading = await step((trx) =>
      updateReading(
        trx,
        key,
        isComplete
          ? { state: 'ready', failure: null, error_content: null }
          : { pass: pass + 1, expected_count: now, seen_count: 0, next_offset: 0, last_key: null },
      ),
    );
  }
}

function checkBounds({ contact_count, byte_count, page_count, began_at }: ReadingRow): void {
  if (contact_count > maxContacts) throw new CannotRead('An audience has at most 1,000,000 contacts.');
  if (byte_count > maxBytes) throw new CannotRead('The contacts have more than 2 GB.');
  if (page_count > maxPages) throw new CannotRead('The contacts come in too many pages.');
  if (Date.now() - Date.parse(began_at) > maxHours * 3_600_000)
    throw new CannotRead(`The contacts could not be read within ${maxHours} hours.`);
}

/** @returns undefined for a page that is too large */
async function readPage(
  backend: ContentBackend,
  { collection, rule: filter, fields, next_offset, last_key }: ReadingRow,
  { isOrdered, size }: { isOrdered: boolean; size: number },
): Promise<Item[] | undefined> {
  const position = isOrdered
    ? { limit: size, offset: 0, ...(last_key === null ? {} : { after: last_key }) }
    : { limit: size + 1, offset: next_offset };
  try {
    return await backend.findItems(collection, { filter, fields, sort: ['id'], ...position });
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof ORPCError && (error.data as { failure?: unknown } | undefined)?.failure === 'too_large';

/** @returns whether it was the last page */
async function storePage(
  trx: Transaction,
  reading: ReadingRow,
  page: readonly Item[],
  { isOrdered, size, secrets }: { isOrdered: boolean; size: number; secrets: AddressHashes },
): Promise<boolean> {
  const { pass, next_offset, page_count, seen_count, contact_count, byte_count } = reading;
  const key = { organizationId: reading.organization_id, readingId: reading.id };
  const contacts = [...new Map(page.map((item) => [item['id'] as string, item]))].map(([id, item]) => ({
    id,
    data: toStorableItem(item, reading.fields),
  }));
  const isMoved =
    !isOrdered &&
    next_offset > 0 &&
    (
      await listSeen(
        trx,
        key,
        pass,
        contacts.map(({ id }) => id),
      )
    ).size === 0;
  if (isMoved) {
    // So many earlier contacts were deleted that this page starts after the last one read: reads the skipped ones first.
    await updateReading(trx, key, {
      page_count: page_count + 1,
      next_offset: Math.max(0, next_offset - size),
    });
    return false;
  }
  // Which field has the address is decided by the audience; any of a contact's values may be one.
  await suppressErased(trx, secrets, { ...key, brandsInScope: () => Promise.resolve([null]) }, () =>
    contacts.flatMap(({ data }) => Object.values(data).flatMap((value) => addressKeyOf(value) ?? [])),
  );
  const written = await insertContacts(trx, key, pass, contacts);
  if (isOrdered && page.length > 0 && written.seen === 0)
    throw new CannotRead('The content backend does not list its contacts in the order of their keys.');
  await updateReading(trx, key, {
    page_count: page_count + 1,
    next_offset: next_offset + Math.max(0, page.length - 1),
    last_key: contacts.at(-1)?.id ?? reading.last_key,
    seen_count: seen_count + written.seen,
    contact_count: contact_count + written.added,
    byte_count: byte_count + written.bytes,
    failure: null,
    error_content: null,
  });
  return isOrdered ? page.length === 0 : page.length <= 1 && written.seen === 0;
}
