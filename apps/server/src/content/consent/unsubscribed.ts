import type { Transaction } from '../../platform/database/database.ts';
import {
  deleteUnsubscribe,
  insertUnsubscribe,
  listSuppressions,
  type UnsubscribedDelivery,
} from './suppressions.queries.ts';

/** Keeps the recipient of a delivery from further mail of its brand. A repeat changes nothing. */
export const suppressUnsubscribed = (trx: Transaction, delivery: UnsubscribedDelivery): Promise<void> =>
  insertUnsubscribe(trx, delivery);

/** Takes back what this very delivery brought about. */
export const undoUnsubscribe = (trx: Transaction, delivery: UnsubscribedDelivery): Promise<void> =>
  deleteUnsubscribe(trx, delivery);

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
