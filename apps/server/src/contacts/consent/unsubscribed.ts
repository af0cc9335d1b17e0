import type { Transaction } from '../../platform/database/database.ts';
import { enterChoices, listChoices, optOut, takeBack } from './choices.queries.ts';
import { addressKeyOf } from './subscription.ts';
import { findRecipientContact, type UnsubscribedDelivery } from './recipient-contact.queries.ts';

/**
 * Suppresses further email of the brand to a delivery's recipient, also at the contact's current address. Idempotent.
 */
export async function suppressUnsubscribed(trx: Transaction, delivery: UnsubscribedDelivery): Promise<void> {
  const { organizationId, brandId, sendId, seq } = delivery;
  const addressKeys = await listAddressKeys(trx, delivery);
  const optOuts = addressKeys.map((key) => optOut(brandId, key, { send_id: sendId, seq }));
  await enterChoices(trx, organizationId, optOuts);
}

/** Removes the suppressions that this delivery's unsubscribe created. */
export const undoUnsubscribe = async (trx: Transaction, delivery: UnsubscribedDelivery): Promise<void> =>
  takeBack(trx, delivery, await listAddressKeys(trx, delivery), { kind: 'suppression' });

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
  const entries = (await listChoices(trx, delivery)).filter(({ kind }) => kind === 'suppression');
  const own = entries.filter(
    ({ value, brand_id, send_id, seq }) =>
      value === 'unsubscribe' && brand_id !== null && send_id === delivery.sendId && seq === delivery.seq,
  );
  return {
    isUnsubscribed: entries.length > 0,
    canUndo: own.length > 0 && own.length === entries.length,
  };
}
