import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';

export interface SuppressionKey {
  organizationId: string;
  brandId: string;
  addressKey: string;
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
export async function insertUnsubscribe(
  trx: Transaction,
  key: SuppressionKey & { sendId: string; seq: number },
): Promise<void> {
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
export async function deleteUnsubscribe(
  trx: Transaction,
  key: SuppressionKey & { sendId: string; seq: number },
): Promise<void> {
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

export interface UnsubscribeEvent {
  organizationId: string;
  touchpointId: string;
  sendId: string;
  seq: number;
  at: Date;
  userAgent: string | null;
  network: string | null;
}

/** Stores the event of a delivery's first unsubscribe; does nothing at the next ones. */
export async function storeUnsubscribeEvent(trx: Transaction, event: UnsubscribeEvent): Promise<void> {
  const at = event.at.toISOString();
  const place = {
    organization_id: event.organizationId,
    touchpoint_id: event.touchpointId,
    send_id: event.sendId,
    seq: event.seq,
    type: 'UNSUBSCRIBE',
  };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('delivery_event_counts')
    .values({ ...place, link_no: -1, human_count: 1, automatic_count: 0, first_human_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return;
  await sql`
    insert into delivery_event_totals as t
      (organization_id, touchpoint_id, send_id, type, at, unique_count, human_count, automatic_count)
    values (${event.organizationId}, ${event.touchpointId}, ${event.sendId}, 'UNSUBSCRIBE',
      date_bin('15 minutes', ${at}::timestamptz, 'epoch'), 1, 1, 0)
    on conflict (organization_id, touchpoint_id, type, at, send_id) do update
    set unique_count = t.unique_count + 1, human_count = t.human_count + 1
  `.execute(trx);
  await trx
    .insertInto('events')
    .values({
      ...place,
      id: newId(),
      at,
      link_no: null,
      automatic: false,
      user_agent: event.userAgent,
      network: event.network,
    })
    .execute();
}
