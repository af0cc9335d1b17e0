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
  contactId: string;
}

/**
 * The address that the contact of a delivery has by now; null where it has none, undefined where it is gone. Whoever writes the
 * contact waits, and then finds what was stored about it.
 */
export async function lockContactAddress(
  trx: Transaction,
  { organizationId, sendId, contactId }: UnsubscribedDelivery,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ email: string | null }>`
    select item.data ->> (content.audience -> 'field_mapping' ->> 'email') as email
    from touchpoint_send_contents content
    join content_items item on item.organization_id = content.organization_id
      and item.collection = content.audience ->> 'collection' and item.id = ${contactId}
    where content.organization_id = ${organizationId} and content.send_id = ${sendId}
    for share of item
  `.execute(trx);
  return rows[0]?.email;
}

/** The field `language` of the contact; null where there is none. */
export async function findContactLanguage(
  trx: Transaction,
  {
    organizationId,
    sendId,
    contactId,
  }: Pick<UnsubscribedDelivery, 'organizationId' | 'sendId' | 'contactId'>,
): Promise<string | null> {
  const { rows } = await sql<{ language: string | null }>`
    select item.data ->> 'language' as language
    from touchpoint_send_contents content
    join content_items item on item.organization_id = content.organization_id
      and item.collection = content.audience ->> 'collection' and item.id = ${contactId}
    where content.organization_id = ${organizationId} and content.send_id = ${sendId}
  `.execute(trx);
  return rows[0]?.language ?? null;
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

/** Does nothing for those that are on the brand's list already. @param addressKeys  in order, as all who store several */
export async function insertUnsubscribes(
  trx: Transaction,
  key: UnsubscribedDelivery,
  addressKeys: readonly string[],
): Promise<void> {
  await trx
    .insertInto('suppressions')
    .values(
      addressKeys.map((address_key) => ({
        id: newId(),
        organization_id: key.organizationId,
        brand_id: key.brandId,
        address_key,
        reason: 'unsubscribe',
        send_id: key.sendId,
        seq: key.seq,
      })),
    )
    .onConflict((conflict) => conflict.columns(['organization_id', 'address_key', 'brand_id']).doNothing())
    .execute();
}

/** Removes only what this very delivery brought about. */
export async function deleteUnsubscribes(
  trx: Transaction,
  key: UnsubscribedDelivery,
  addressKeys: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('suppressions')
    .where('organization_id', '=', key.organizationId)
    .where('brand_id', '=', key.brandId)
    .where('address_key', 'in', addressKeys)
    .where('reason', '=', 'unsubscribe')
    .where('send_id', '=', key.sendId)
    .where('seq', '=', key.seq)
    .execute();
}
