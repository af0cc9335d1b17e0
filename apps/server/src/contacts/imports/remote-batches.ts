import { ORPCError } from '@orpc/contract';
import type { Item } from '@reachout/contract/content.ts';
import { importError } from '@reachout/contract/rules/import-errors.ts';
import { inOrganization } from '../../platform/database/database.ts';
import { idFrom } from '../../platform/ids.ts';
import { JobInterrupted } from '../../platform/jobs/job-kind.ts';
import type { DirectusBackend } from '../../content/directus/directus-backend.ts';
import type { UpsertRow } from '../../content/built-in/upsert-items.queries.ts';
import { toRejection, recordBatch, type Batch } from './import-batch.ts';
import type { StoredRejection } from './import-rejections.queries.ts';
import type { Progress } from './import-progress.queries.ts';
import type { OpenImport } from './open-import.ts';
import { changesOf, findStored } from './remote-items.ts';
import type { HandleBatch } from './import-file.ts';
import { writeAll, type Rejection } from './write-all.ts';

/** Maximum items per request, and their JSON length in characters. */
const maxItems = 100;
const maxLength = 200_000;

export interface RemoteBatches {
  backend: DirectusBackend;
  /** Whether items are written or only counted. */
  isStoring: boolean;
  /** Attempts of the job, including this one: a recurring error is blamed on the row. */
  attempts: number;
}

/** The last row of a batch for one item. */
interface Wanted {
  row: UpsertRow;
  /** The key of a new item; the same each time the batch is sent. */
  ownId: string;
}

interface Outcome {
  /** The item before the import; undefined for a new item. */
  stored: Item | undefined;
  rejection?: Rejection;
}

/**
 * Imports batches into a Directus, 100 items per request, or counts what that would do. An interrupted batch is resent as a
 * whole: it finds the items that it has already created, and its applied changes are no longer differences.
 */
export const createRemoteBatches =
  (remote: RemoteBatches): HandleBatch =>
  async ({ db, job, signal }, open, expectedByte, batch) => {
    const outcomes = new Map<string, Outcome>();
    for (const wanted of chunksOf(wantedOf(open, batch))) {
      if (signal.aborted) throw new JobInterrupted();
      await handleChunk(remote, open, wanted, outcomes);
    }
    const { counts, rejections } = countOutcomes(open, batch, outcomes);
    const outcome = { ...counts, rejections, yieldsToSends: false };
    await inOrganization(db, open.target.organizationId, (trx) =>
      recordBatch(trx, open, { job, expectedByte, batch }, outcome),
    );
  };

const wantedOf = ({ row: { id } }: OpenImport, { rows, sources }: Batch): Wanted[] =>
  rows.flatMap((row, index) =>
    row.is_last ? [{ row, ownId: idFrom(`${id} ${sources[index]!.nextByte}`) }] : [],
  );

function* chunksOf(wanted: readonly Wanted[]): Generator<Wanted[]> {
  let chunk: Wanted[] = [];
  let length = 0;
  for (const each of wanted) {
    const own = JSON.stringify([each.row.before, each.row.patch]).length;
    if (chunk.length === maxItems || (chunk.length > 0 && length + own > maxLength)) {
      yield chunk;
      chunk = [];
      length = 0;
    }
    chunk.push(each);
    length += own;
  }
  if (chunk.length > 0) yield chunk;
}

async function handleChunk(
  { backend, isStoring, attempts }: RemoteBatches,
  open: OpenImport,
  wanted: readonly Wanted[],
  outcomes: Map<string, Outcome>,
): Promise<void> {
  const { collection } = open.target;
  const found = await findStored(backend, open, wanted);
  const planned = wanted.map(({ row, ownId }) => {
    const [stored, another] = found.get(row.key) ?? [];
    const outcome: Outcome = { stored: stored?.['id'] === ownId ? undefined : stored };
    if (another !== undefined) outcome.rejection = { field: null, error: importError('several_match') };
    outcomes.set(row.key, outcome);
    return { outcome, key: stored?.['id'] as string | undefined, ownId, data: changesOf(open, stored, row) };
  });
  if (!isStoring) return;
  const writable = planned.filter(({ outcome }) => outcome.rejection === undefined);
  const reject = ({ outcome }: { outcome: Outcome }, rejection: Rejection) => {
    outcome.rejection = rejection;
  };
  const isRepeated = attempts > 2;
  const hasOwnKeys = (await backend.findKeyType(collection)) === 'uuid';
  await writeAll(
    writable
      .filter(({ key }) => key === undefined)
      .map(({ outcome, data, ownId }) => ({ outcome, item: hasOwnKeys ? { ...data, id: ownId } : data })),
    (some) =>
      createOnce(
        backend,
        collection,
        some.map(({ item }) => item),
      ),
    { reject, isRepeated },
  );
  await writeAll(
    writable.filter(({ key, data }) => key !== undefined && Object.keys(data).length > 0),
    (some) =>
      backend.updateItems(
        collection,
        some.map(({ key, data }) => ({ key: key!, data })),
      ),
    { reject, isRepeated },
  );
}

/** Creates items, except those that an earlier request with a lost response has already created. */
async function createOnce(
  backend: DirectusBackend,
  collection: string,
  items: readonly Item[],
): Promise<void> {
  try {
    await backend.createItems(collection, items);
  } catch (error) {
    const keys = items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
    if (!(error instanceof ORPCError) || error.code !== 'not_unique' || keys.length === 0) throw error;
    const query = { filter: { id: { _in: keys } }, fields: ['id'], limit: keys.length, offset: 0 };
    const there = new Set((await backend.findItems(collection, query)).map(({ id }) => id));
    if (there.size === 0) throw error;
    await backend.createItems(
      collection,
      items.filter(({ id }) => !there.has(id)),
    );
  }
}

/** Counts each row once. All rows of a rejected item are rejected. */
function countOutcomes(
  open: OpenImport,
  { rows, sources }: Batch,
  outcomes: ReadonlyMap<string, Outcome>,
): { counts: Pick<Progress, 'created' | 'updated' | 'unchanged' | 'merged'>; rejections: StoredRejection[] } {
  const counts = { created: 0, updated: 0, unchanged: 0, merged: 0 };
  const rejections: StoredRejection[] = [];
  for (const [index, row] of rows.entries()) {
    const { stored, rejection } = outcomes.get(row.key)!;
    if (rejection !== undefined) rejections.push(toRejection(open, sources[index]!, rejection));
    else if (row.is_double) counts.merged += 1;
    else if (stored === undefined) counts.created += 1;
    else counts[Object.keys(changesOf(open, stored, row)).length > 0 ? 'updated' : 'unchanged'] += 1;
  }
  return { counts, rejections };
}
