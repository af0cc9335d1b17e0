import type { Transaction } from '../../platform/database/database.ts';
import { insertOptOutsByLink } from './opt-outs.queries.ts';
import { addressKeyOf } from './subscription.ts';
import {
  deleteUnsubscribes,
  findRecipientContact,
  listSuppressions,
  type UnsubscribedDelivery,
} from './suppressions.queries.ts';

/**
 * Suppresses further email of the brand to a delivery's recipient, also at the contact's current address. Idempotent.
 */
export const suppressUnsubscribed = async (trx: Transaction, delivery: UnsubscribedDelivery): Promise<void> =>
  insertOptOutsByLink(trx, delivery, await listAddressKeys(trx, delivery));

/** Removes the suppressions that this delivery's unsubscribe created. */
export const undoUnsubscribe = async (trx: Transaction, delivery: UnsubscribedDelivery): Promise<void> =>
  deleteUnsubscribes(trx, delivery, await listAddressKeys(trx, delivery));

async function listAddressKeys(trx: Transaction, delivery: UnsubscribedDelivery): Promise<string[]> {
  const current =
    addressKeyOf((await findRecipientContact(trx, delivery, 'lock'))?.email) ?? delivery.addressKey;
  return [...new Set([delivery.addressKey, current])].toSorted();
}

/** @returns the language of a delivery's contact as entered, unvalidated; null if unknown */
export const readContactLanguage = async (
  trx: Transaction,
  delivery: UnsubscribedDelivery,
): Promise<string | null> => (await findRecipientContact(trx, delivery))?.language ?? null;

/** @returns `canUndo`: whether this delivery's unsubscribe from the brand is the only suppression */
export async function readConsent(
  trx: Transaction,
  delivery: UnsubscribedDelivery,
): Promise<{ isUnsubscribed: boolean; canUndo: boolean }> {
  const entries = await listSuppressions(trx, delivery);
  const own = entries.filter(
    ({ reason, brand_id, send_id, seq }) =>
      reason === 'unsubscribe' && brand_id !== null && send_id === delivery.sendId && seq === delivery.seq,
  );
  return {
    isUnsubscribed: entries.length > 0,
    canUndo: own.length > 0 && own.length === entries.length,
  };
}
