import type { Database, Transaction } from '../../platform/database/database.ts';
import { inOrganization } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { removeFilesOf } from '../../identity/images/remove-files.ts';
import { keyOf, parseStoredUrl } from '../../identity/images/stored-path.ts';
import {
  deleteRows,
  deleteSend,
  eraseOrganizationRow,
  eraseRecordRow,
  findSendBeneath,
  holdOrganization,
  holdRecord,
  largeTables,
  listLogoUrls,
  sendTables,
  takeHousekeepingLock,
  type ErasableRecord,
} from './erase.queries.ts';

export interface EraseDeps {
  db: Database;
  files: FileStore;
  /** Stops after the batch under way; the next round goes on from there. */
  signal: AbortSignal;
  /** Rows that one transaction deletes. */
  batchRows: number;
}

/** Another worker does housekeeping, this one is to stop, or what was to be erased is no more: nothing is left to do. */
export class NothingToDo extends Error {
  override name = 'NothingToDo';
}

/**
 * Erases an organization with all it has: rows, stored files, then itself. Broken off, it goes on another time.
 * @throws NothingToDo; FileStoreFailure
 */
export async function eraseOrganization(deps: EraseDeps, organizationId: string): Promise<void> {
  const step = <T>(work: (trx: Transaction) => Promise<T>) =>
    inTurn(deps, organizationId, (trx) => holdOrganization(trx, organizationId), work);
  for (const table of largeTables)
    await untilFewer(deps.batchRows, () =>
      step((trx) => deleteRows(trx, table, { organizationId }, deps.batchRows)),
    );
  await removeFilesOf(deps.files, { organizationId });
  await step((trx) => eraseOrganizationRow(trx, organizationId));
}

/**
 * Erases a client, brand, campaign or touchpoint with all beneath it.
 * @throws as `eraseOrganization`
 */
export async function eraseRecord(deps: EraseDeps, record: ErasableRecord): Promise<void> {
  const { organization_id: organizationId } = record;
  const step = <T>(work: (trx: Transaction) => Promise<T>) =>
    inTurn(deps, organizationId, (trx) => holdRecord(trx, record), work);
  for (;;) {
    const sendId = await step((trx) => findSendBeneath(trx, record));
    if (sendId === undefined) break;
    for (const table of sendTables)
      await untilFewer(deps.batchRows, () =>
        step((trx) => deleteRows(trx, table, { organizationId, sendId }, deps.batchRows)),
      );
    await step((trx) => deleteSend(trx, organizationId, sendId));
  }
  for (const url of await step((trx) => listLogoUrls(trx, record))) {
    const stored = parseStoredUrl(url);
    if (stored?.ownerId === organizationId) await deps.files.remove(keyOf(stored));
  }
  await step((trx) => eraseRecordRow(trx, record));
}

/** One short transaction, in which what is to be erased is held as it is: it cannot come back half erased. */
async function inTurn<T>(
  { db, signal }: EraseDeps,
  organizationId: string,
  hold: (trx: Transaction) => Promise<boolean>,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw new NothingToDo();
  return await inOrganization(db, organizationId, async (trx) => {
    if (!(await takeHousekeepingLock(trx)) || !(await hold(trx))) throw new NothingToDo();
    return await work(trx);
  });
}

/** Repeats until a batch is not full. */
export async function untilFewer(batchRows: number, deleteBatch: () => Promise<number>): Promise<void> {
  while ((await deleteBatch()) >= batchRows);
}
