import type { Transaction } from '../../platform/database/database.ts';
import { addressKeyOf } from './subscription.ts';
import {
  deleteUnsubscribes,
  findContactLanguage,
  insertUnsubscribes,
  listSuppressions,
  lockContactAddress,
  type UnsubscribedDelivery,
} from './suppressions.queries.ts';

/**
 * Keeps the recipient of a delivery from further mail of its brand, also under the address that the contact has by now. A
 * repeat changes nothing.
 */
export const suppressUnsubscribed = async (trx: Transaction, delivery: UnsubscribedDelivery): Promise<void> =>
  insertUnsubscribes(trx, delivery, await listAddressKeys(trx, delivery));

/** Takes back what this very delivery brought about. */
export const undoUnsubscribe = async (trx: Transaction, delivery: UnsubscribedDelivery): Promise<void> =>
  deleteUnsubscribes(trx, delivery, await listAddressKeys(trx, delivery));

async function listAddressKeys(trx: Transaction, delivery: UnsubscribedDelivery): Promise<string[]> {
  const current = addressKeyOf(await lockContactAddress(trx, delivery)) ?? delivery.addressKey;
  return [...new Set([delivery.addressKey, current])].toSorted();
}

/** What the contact of a delivery has as its language, as somebody wrote it; null where nothing is known. */
export const readContactLanguage = (
  trx: Transaction,
  delivery: UnsubscribedDelivery,
): Promise<string | null> => findContactLanguage(trx, delivery);

/** @returns `canUndo`: whether this very delivery's unsubscribe is what keeps further mail away, and nothing else does */
export async function readConsent(
  trx: Transaction,
  delivery: UnsubscribedDelivery,
): Promise<{ isUnsubscribed: boolean; canUndo: boolean }> {
  const entries = await listSuppressions(trx, delivery);
  const own = entries.filter(
    ({ reason, send_id, seq }) =>
      reason === 'unsubscribe' && send_id === delivery.sendId && seq === delivery.seq,
  );
  return {
    isUnsubscribed: entries.length > 0,
    canUndo: own.length > 0 && own.length === entries.length,
  };
}
