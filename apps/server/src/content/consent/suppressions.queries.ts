import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';

export interface SuppressionKey {
  organizationId: string;
  brandId: string;
  addressKey: string;
}

/** A delivery whose recipient unsubscribes. */
export interface UnsubscribedDelivery extends SuppressionKey {
  sendId: string;
  seq: number;
}

/** An entry that keeps this address from the brand's mail: the brand's own, or one of the whole organization. */
export const listSuppressions = (trx: Transaction, key: SuppressionKey) =>
  trx
    .selectFrom('suppressions')
    .select(['reason', 'send_id', 'seq'])
    .where('organization_id', '=', key.organizationId)
    .where('address_key', '=', key.addressKey)
    .where(sql`subscription_state(reason, brand_id, ${key.brandId}::uuid)`, 'is not', null)
    .execute();

/** Does nothing when the address is on the brand's list already. */
export async function insertUnsubscribe(trx: Transaction, key: UnsubscribedDelivery): Promise<void> {
  await trx
    .insertInto('suppressions')
    .values({
      id: newId(),
      organization_id: key.organizationId,
      brand_id: key.brandId,
      address_key: key.addressKey,
      reason: 'unsubscribe',
      send_id: key.sendId,
      seq: key.seq,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'address_key', 'brand_id']).doNothing())
    .execute();
}

/** Removes only what this very delivery brought about. */
export async function deleteUnsubscribe(trx: Transaction, key: UnsubscribedDelivery): Promise<void> {
  await trx
    .deleteFrom('suppressions')
    .where('organization_id', '=', key.organizationId)
    .where('brand_id', '=', key.brandId)
    .where('address_key', '=', key.addressKey)
    .where('reason', '=', 'unsubscribe')
    .where('send_id', '=', key.sendId)
    .where('seq', '=', key.seq)
    .execute();
}
