import { sql } from 'kysely';
import type { SuppressedState, SuppressionReason } from '@reachout/contract/statuses.ts';
import type { Resubscription } from '@reachout/contract/consent.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { hasCurrentOwner } from '../owners/owner.queries.ts';

/** The consent data stored on a contact. */
export interface StoredContact {
  id: string;
  email: string | null;
  is_unsubscribed: boolean;
}

/** Lists the existing contacts, unordered. */
export async function listContacts(
  trx: Transaction,
  { organizationId, collection }: { organizationId: string; collection: string },
  ids: readonly string[],
): Promise<StoredContact[]> {
  const { rows } = await sql<StoredContact>`
    select id, data ->> 'email' as email, coalesce(data ->> 'unsubscribed' = 'true', false) as is_unsubscribed
    from content_items
    where organization_id = ${organizationId} and collection = ${collection} and id = any(${ids}::text[])
      and collection in (select c.collection from content_collections c where ${hasCurrentOwner})
  `.execute(trx);
  return rows;
}

/** @param clientId  counts only this client's brands; undefined for all clients */
export async function countBrands(trx: Transaction, clientId: string | undefined): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from current_brands b where ${isOfClient(clientId)}
  `.execute(trx);
  return rows[0]?.count ?? 0;
}

const isOfClient = (clientId: string | undefined) =>
  clientId === undefined ? sql`true` : sql`b.client_id = ${clientId}`;

export const findBrandName = async (trx: Transaction, id: string): Promise<string | null | undefined> =>
  (await trx.selectFrom('current_brands').select('name').where('id', '=', id).executeTakeFirst())?.name;

export interface AddressTally {
  address_key: string;
  /** States of the suppressions for all brands. */
  states: SuppressedState[];
  /** Number of visible brands with their own suppression. */
  suppressed_count: number;
}

/** Tallies suppressions by address; omits addresses without any. */
export async function tallyAddresses(
  trx: Transaction,
  organizationId: string,
  addressKeys: readonly string[],
  clientId: string | undefined,
): Promise<AddressTally[]> {
  const { rows } = await sql<AddressTally>`
    select p.address_key, count(b.id) as suppressed_count,
      coalesce(array_agg(subscription_state(p.reason, p.brand_id, null))
        filter (where subscription_state(p.reason, p.brand_id, null) is not null), '{}') as states
    from suppressions p
    left join current_brands b on b.organization_id = p.organization_id and b.id = p.brand_id
      and ${isOfClient(clientId)}
    where p.organization_id = ${organizationId} and p.address_key = any(${addressKeys}::text[])
    group by p.address_key
  `.execute(trx);
  return rows;
}

interface BrandStates {
  id: string;
  name: string;
  client: { id: string; name: string };
  /** States of all suppressions that apply to the brand. */
  states: SuppressedState[];
}

interface OfAddress {
  organizationId: string;
  addressKey: string;
  limit: number;
}

/** Lists brands by client and name; brands with their own suppression come first. */
export async function listBrandStates(
  trx: Transaction,
  { organizationId, addressKey, limit, clientId }: OfAddress & { clientId: string | undefined },
): Promise<BrandStates[]> {
  const { rows } = await sql<BrandStates>`
    select b.id, b.name, jsonb_build_object('id', b.client_id, 'name', b.client_name) as client,
      coalesce(holding.states, '{}') as states
    from current_brands b
    left join lateral (
      select array_agg(subscription_state(p.reason, p.brand_id, b.id)) as states, bool_or(p.brand_id is not null) as is_own
      from suppressions p
      where p.organization_id = ${organizationId} and p.address_key = ${addressKey}
        and subscription_state(p.reason, p.brand_id, b.id) is not null
    ) holding on true
    where b.organization_id = ${organizationId} and ${isOfClient(clientId)}
    order by coalesce(holding.is_own, false) desc, lower(b.client_name), lower(b.name), b.id
    limit ${limit}
  `.execute(trx);
  return rows;
}

export interface StoredSuppression {
  brand_id: string | null;
  brand_name: string | null;
  reason: SuppressionReason;
  state: SuppressedState;
  at: string;
  has_send: boolean;
  touchpoint: { id: string; name: string } | null;
  by: { id: string; full_name: string } | null;
  import: { id: string; file_name: string } | null;
  note: string | null;
}

/** Lists suppressions, newest first, with the part of their origin visible to the reader; omits deleted brands. */
export async function listSuppressionsOf(
  trx: Transaction,
  { organizationId, addressKey, limit }: OfAddress,
): Promise<StoredSuppression[]> {
  const { rows } = await sql<StoredSuppression>`
    select p.brand_id, b.name as brand_name, p.reason, subscription_state(p.reason, p.brand_id, p.brand_id) as state,
      p.created_at as at,
      p.send_id is not null as has_send, p.note,
      case when t.id is not null then jsonb_build_object('id', t.id, 'name', t.name) end as touchpoint,
      case when u.id is not null then jsonb_build_object('id', u.id, 'full_name', u.full_name) end as by,
      case when i.id is not null then jsonb_build_object('id', i.id, 'file_name', i.file_name) end as import
    from suppressions p
    left join current_brands b on b.organization_id = p.organization_id and b.id = p.brand_id
    left join touchpoint_sends s on s.organization_id = p.organization_id and s.id = p.send_id
    left join current_touchpoints t on t.organization_id = p.organization_id and t.id = s.touchpoint_id
    left join content_imports i on i.organization_id = p.organization_id and i.id = p.import_id
    left join users u on u.id = p.created_by
    where p.organization_id = ${organizationId} and p.address_key = ${addressKey}
      and (p.brand_id is null or b.id is not null)
    order by p.created_at desc, p.id desc
    limit ${limit}
  `.execute(trx);
  return rows;
}

/** Lists resubscriptions, newest first; omits deleted brands. */
export async function listResubscriptions(
  trx: Transaction,
  { organizationId, addressKey, limit }: OfAddress,
): Promise<Resubscription[]> {
  const { rows } = await sql<Resubscription>`
    select r.brand_id, r.created_at as at, r.basis, r.suppressed_at,
      subscription_state(r.reason, r.brand_id, r.brand_id) as state,
      case when u.id is not null then jsonb_build_object('id', u.id, 'full_name', u.full_name) end as by
    from resubscriptions r
    left join users u on u.id = r.created_by
    where r.organization_id = ${organizationId} and r.address_key = ${addressKey}
      and (r.brand_id is null or r.brand_id in (select b.id from current_brands b))
    order by r.created_at desc, r.id desc
    limit ${limit}
  `.execute(trx);
  return rows;
}
