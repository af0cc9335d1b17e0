import { importError } from '@reachout/contract/rules/import-errors.ts';
import { DatabaseError } from 'pg';
import { findQuota, lockForQuota } from '../../identity/organizations/quotas.ts';
import { inOrganization, type Transaction } from '../../platform/database/database.ts';
import { findTakenKeys, upsertItems, type UpsertRow } from '../built-in/upsert-items.queries.ts';
import { keepImportedOptOuts } from '../consent/keep-opt-outs.ts';
import type { ImportRun } from './import.ts';
import { sourceOf, type Batch, type Rejected } from './import-batch.ts';
import type { OpenImport } from './open-import.ts';
import { recordBatch } from './record-batch.ts';

/** Tries until nobody interferes: each try sees what others have committed in the meantime. */
const maxTries = 8;

/**
 * Stores one batch and counts it, in one transaction.
 * @throws JobInterrupted when another worker has taken over
 */
export async function storeBatch(
  { db, log, job, pace }: ImportRun,
  open: OpenImport,
  expectedByte: number,
  batch: Batch,
): Promise<void> {
  const key = { organizationId: open.target.organizationId, importId: open.row.id };
  for (let tries = 1; ; tries += 1) {
    try {
      await inOrganization(db, key.organizationId, async (trx) => {
        const { rows, beyond } = await separateBeyondQuota(trx, open, batch, 0);
        const { isComplete, ...counts } = await upsertItems(trx, open.target, rows);
        if (!isComplete || (counts.created > 0 && !(await isWithinQuota(trx, key.organizationId))))
          throw new Interfered();
        const { keyField } = open.target;
        // Only contacts have opt-outs, and these are matched by a key.
        if (keyField !== null)
          await keepImportedOptOuts(trx, { ...open.target, keyField, importId: key.importId }, rows);
        const outcome = { ...counts, rejections: beyond, yieldsToSends: pace.yieldsToSends };
        await recordBatch(trx, key, { job, expectedByte, batch }, outcome);
        if (beyond.length > 0) log.warn({ bound: 'contacts', ...key }, 'limit reached');
      });
      return;
    } catch (error) {
      if (tries >= maxTries || !isTransient(error)) throw error;
    }
  }
}

class Interfered extends Error {}

/** How many more contacts the organization may have. */
async function findRoom(trx: Transaction, organizationId: string): Promise<number> {
  const { limit, used } = await findQuota(trx, organizationId, 'contacts');
  return limit - used;
}

/**
 * After items were created. Locks behind the counter of their collection, as single items do: two collections would
 * otherwise not count each other, and the other order would be a deadlock.
 */
async function isWithinQuota(trx: Transaction, organizationId: string): Promise<boolean> {
  await lockForQuota(trx, organizationId, 'contacts');
  return (await findRoom(trx, organizationId)) >= 0;
}

/**
 * New items in the order of the file, as many as there is room for; rows of items that are there change them as always.
 * @param planned  new items before these that are not stored yet
 */
export async function separateBeyondQuota(
  trx: Transaction,
  { target, decoder }: OpenImport,
  { rows, sources }: Batch,
  planned: number,
): Promise<{ rows: UpsertRow[]; beyond: Rejected[] }> {
  const room = (await findRoom(trx, target.organizationId)) - planned;
  const keys = [...new Set(rows.map(({ key }) => key))];
  if (keys.length <= room) return { rows, beyond: [] };
  const taken = await findTakenKeys(trx, target, keys);
  const isBeyond = new Set(keys.filter((key) => !taken.has(key)).slice(Math.max(room, 0)));
  const error = importError('contacts_full');
  return {
    rows: rows.filter(({ key }) => !isBeyond.has(key)),
    beyond: rows.flatMap(({ key }, index) =>
      isBeyond.has(key) ? [{ ...sourceOf(sources[index]!, decoder), field: null, error }] : [],
    ),
  };
}

/** Deadlock, lock timeout, serialization failure. */
const isTransient = (error: unknown): boolean =>
  error instanceof Interfered ||
  (error instanceof DatabaseError && ['40P01', '55P03', '40001'].includes(error.code ?? ''));
