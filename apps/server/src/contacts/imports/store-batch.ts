import { importError } from '@reachout/contract/rules/import-errors.ts';
import { DatabaseError } from 'pg';
import { findQuota, lockForQuota } from '../../identity/organizations/quotas.ts';
import { inOrganization, type Transaction } from '../../platform/database/database.ts';
import {
  beginImport,
  findTakenKeys,
  upsertItems,
  type UpsertRow,
} from '../../content/built-in/upsert-items.queries.ts';
import { keepErased, keepImportedOptOuts } from '../consent/keep-opt-outs.ts';
import type { ImportRun } from './import.ts';
import { toRejection, recordBatch, type Batch } from './import-batch.ts';
import type { StoredRejection } from './import-rejections.queries.ts';
import type { OpenImport } from './open-import.ts';

/** Maximum tries on conflicts with concurrent transactions; each try sees what they have committed since. */
const maxTries = 8;

/**
 * Stores and counts one batch in one transaction.
 * @throws JobInterrupted if another worker has taken over
 */
export async function storeBatch(
  { db, log, secrets, job, pace }: ImportRun,
  open: OpenImport,
  expectedByte: number,
  batch: Batch,
): Promise<void> {
  const key = { organizationId: open.target.organizationId, importId: open.row.id };
  for (let tries = 1; ; tries += 1) {
    try {
      await inOrganization(db, key.organizationId, async (trx) => {
        await beginImport(trx);
        const { rows, beyond } = (await isContentFull(trx, key.organizationId))
          ? { rows: [], beyond: rejectAll(open, batch) }
          : await separateBeyondQuota(trx, open, batch, 0);
        const { isComplete, moved, ...counts } = await upsertItems(trx, open.target, rows);
        if (!isComplete || (counts.created > 0 && !(await isWithinQuota(trx, key.organizationId))))
          throw new Interfered();
        const { keyField } = open.target;
        await keepErased(trx, secrets, open.target, rows);
        // Only contacts have opt-outs, and contacts are always matched by a key.
        if (keyField !== null)
          await keepImportedOptOuts(trx, { ...open.target, keyField, importId: key.importId }, rows, moved);
        const outcome = { ...counts, rejections: beyond, yieldsToSends: pace.yieldsToSends };
        await recordBatch(trx, open, { job, expectedByte, batch }, outcome);
        if (beyond.length > 0) log.warn({ bound: 'contacts', ...key }, 'limit reached');
      });
      return;
    } catch (error) {
      if (tries >= maxTries || !isTransient(error)) throw error;
    }
  }
}

class Interfered extends Error {}

/** @returns the number of contacts left in the organization's quota */
async function findRoom(trx: Transaction, organizationId: string): Promise<number> {
  const { limit, used } = await findQuota(trx, organizationId, 'contacts');
  return limit - used;
}

/**
 * Call after creating items. Takes the quota lock after the collection's counter lock, as single items do. Without the lock,
 * inserts into two collections would not count each other; the opposite order would deadlock.
 */
async function isWithinQuota(trx: Transaction, organizationId: string): Promise<boolean> {
  await lockForQuota(trx, organizationId, 'contacts');
  return (await findRoom(trx, organizationId)) >= 0;
}

/** Whether the items have reached their limit in bytes. A batch may go beyond it: its size has a bound, too. */
async function isContentFull(trx: Transaction, organizationId: string): Promise<boolean> {
  const { limit, used } = await findQuota(trx, organizationId, 'content_megabytes');
  return used > limit;
}

const rejectAll = (open: OpenImport, { sources }: Batch): StoredRejection[] =>
  sources.map((source) => toRejection(open, source, { field: null, error: importError('content_full') }));

/**
 * Splits off the rows of new items beyond the contact quota, in file order. Rows of existing items are always kept.
 * @param planned  earlier new items that are not stored yet
 */
export async function separateBeyondQuota(
  trx: Transaction,
  open: OpenImport,
  { rows, sources }: Batch,
  planned: number,
): Promise<{ rows: UpsertRow[]; beyond: StoredRejection[] }> {
  const { target } = open;
  const room = (await findRoom(trx, target.organizationId)) - planned;
  const keys = [...new Set(rows.map(({ key }) => key))];
  if (keys.length <= room) return { rows, beyond: [] };
  const taken = await findTakenKeys(trx, target, keys);
  const isBeyond = new Set(keys.filter((key) => !taken.has(key)).slice(Math.max(room, 0)));
  const error = importError('contacts_full');
  return {
    rows: rows.filter(({ key }) => !isBeyond.has(key)),
    beyond: rows.flatMap(({ key }, index) =>
      isBeyond.has(key) ? [toRejection(open, sources[index]!, { field: null, error })] : [],
    ),
  };
}

/** Deadlock, lock timeout, serialization failure, or a detected conflict. */
const isTransient = (error: unknown): boolean =>
  error instanceof Interfered ||
  (error instanceof DatabaseError && ['40P01', '55P03', '40001'].includes(error.code ?? ''));
