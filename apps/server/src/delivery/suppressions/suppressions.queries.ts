import type { PreparedStatement, Step } from '../../platform/database/pipelined.ts';
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
    .where((where) => where.or([where('brand_id', '=', key.brandId), where('brand_id', 'is', null)]))
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

/** An address of a delivery that does not exist. */
export interface BouncedAddress {
  id: string;
  seq: number;
  addressKey: string;
}

/** Keeps the addresses from all further mail of the organization; for the transaction that stores their bounces. */
export const suppressBounced = (
  organizationId: string,
  sendId: string,
  addresses: readonly BouncedAddress[],
): Step => ({ ...insertBounced, values: [organizationId, sendId, JSON.stringify(addresses)] });

// In the same order in each transaction: two that suppress the same addresses at once wait, and cannot deadlock.
const insertBounced: PreparedStatement = {
  name: 'suppress_bounced',
  text: `
    insert into suppressions (id, organization_id, address_key, reason, send_id, seq)
    select id, $1::uuid, "addressKey", 'bounce', $2::uuid, seq
    from json_to_recordset($3::json) as b(id uuid, seq int, "addressKey" text)
    where exists (select from delivery_results r
      where r.organization_id = $1 and r.send_id = $2 and r.seq = b.seq and r.state = 'bounced')
    order by "addressKey"
    on conflict do nothing`,
};
