import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

/** What is recorded about an address, for the copy of a person's data. */
export interface AddressRecords {
  suppressions: unknown[];
  resubscriptions: unknown[];
  topics: unknown[];
  pauses: unknown[];
  tracking: unknown[];
}

/** The latest are listed: a member can resubscribe an address any number of times. */
export const maxResubscriptions = 1_000;

/** Notes and the members who wrote records are left out: they are about others, too. */
export async function readAddressRecords(
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<AddressRecords> {
  const of = sql`r.organization_id = ${organizationId} and r.address_key = ${addressKey}`;
  const brand = sql`left join current_brands b on b.organization_id = r.organization_id and b.id = r.brand_id`;
  const { rows } = await sql<AddressRecords>`
    select
      (select coalesce(json_agg(json_build_object('brand', b.name, 'reason', r.reason, 'since', coalesce(r.occurred_at, r.created_at))
        order by r.created_at), '[]') from suppressions r ${brand} where ${of}) as suppressions,
      (select coalesce(json_agg(json_build_object('brand', b.name, 'reason', r.reason, 'suppressed_at', r.suppressed_at,
        'at', r.created_at) order by r.created_at), '[]') from (select r.* from resubscriptions r where ${of} order by r.created_at desc limit ${maxResubscriptions}) r ${brand}) as resubscriptions,
      (select coalesce(json_agg(json_build_object('brand', b.name, 'topic', t.name, 'is_subscribed', r.is_subscribed,
        'source', r.source, 'at', r.changed_at) order by r.changed_at), '[]') from topic_choices r ${brand}
        join offered_topics t on t.organization_id = r.organization_id and t.id = r.topic_id where ${of}) as topics,
      (select coalesce(json_agg(json_build_object('brand', b.name, 'until', r.until, 'source', r.source, 'at', r.changed_at)
        order by r.changed_at), '[]') from pauses r ${brand} where ${of}) as pauses,
      (select coalesce(json_agg(json_build_object('brand', b.name, 'is_allowed', r.is_allowed, 'source', r.source,
        'at', r.changed_at) order by r.changed_at), '[]') from tracking_choices r ${brand} where ${of}) as tracking
  `.execute(trx);
  return rows[0]!;
}

/** Deletes what is recorded about an address. */
export async function deleteAddressRecords(
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<void> {
  const of = sql`organization_id = ${organizationId} and address_key = ${addressKey}`;
  await sql`delete from suppressions where ${of}`.execute(trx);
  await sql`delete from topic_choices where ${of}`.execute(trx);
  await sql`delete from pauses where ${of}`.execute(trx);
  await sql`delete from tracking_choices where ${of}`.execute(trx);
  await sql`select erase_resubscriptions(${addressKey})`.execute(trx);
}
