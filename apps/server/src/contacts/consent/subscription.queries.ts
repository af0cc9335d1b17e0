import { sql } from 'kysely';
import type { SuppressedState } from '@reachout/contract/statuses.ts';
import type { Resubscription } from '@reachout/contract/consent.ts';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import { firstRowOf, onlyValueOf, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { hasCurrentOwner } from '../../content/owners/owner.queries.ts';
import { listSuppressionPage, type StoredSuppression } from './suppression-list.queries.ts';

/** The consent data stored on a contact. */
export interface StoredContact {
  id: string;
  email: string | null;
  is_unsubscribed: boolean;
}

/** Lists the existing contacts, unordered. */
export const listContacts = (
  trx: Transaction,
  { organizationId, collection }: { organizationId: string; collection: string },
  ids: readonly string[],
) => rowsOf<StoredContact>(trx)`
  select id, data ->> 'email' as email, coalesce(data ->> 'unsubscribed' = 'true', false) as is_unsubscribed
  from content_items
  where organization_id = ${organizationId} and collection = ${collection} and id = any(${ids}::text[])
    and collection in (select c.collection from content_collections c where ${hasCurrentOwner})
`;

/** The brands that a subscription is about. */
export interface SubscribedBrands {
  /** Owner of the collection of the contacts: other brands cannot use it. */
  owner: Owner;
  /** Only this client's brands; undefined for all clients. */
  clientId: string | undefined;
}

/** The owner of a collection of contacts, even outside the access scope; undefined for an unknown collection. */
export const findOwnerOfContacts = (
  trx: Transaction,
  { collection, isRemote }: { collection: string; isRemote: boolean },
) => firstRowOf<Owner>(trx)`
  select client_id, brand_id from ${isRemote ? sql`remote_collection` : sql`owner_of_collection`}(${collection})
`;

export const countBrands = (trx: Transaction, brands: SubscribedBrands) => onlyValueOf<number>(trx)`
  select count(*) as count from current_brands b where ${isAmong(brands)}
`;

const isAmong = ({ owner, clientId }: SubscribedBrands) => sql`(
  is_usable_for(${owner.client_id}::uuid, ${owner.brand_id}::uuid, b.client_id, b.id)
  and ${clientId === undefined ? sql`true` : sql`b.client_id = ${clientId}`})`;

export const findBrandName = async (trx: Transaction, id: string): Promise<string | null | undefined> =>
  (await trx.selectFrom('current_brands').select('name').where('id', '=', id).executeTakeFirst())?.name;

export interface AddressTally {
  address_key: string;
  /** States of the suppressions for all brands. */
  states: SuppressedState[];
  /** Number of visible brands with their own suppression, or a pause. */
  suppressed_count: number;
  /** Number of those with a pause alone. */
  paused_count: number;
}

/** Tallies suppressions and pauses by address; omits addresses without any. */
export const tallyAddresses = (
  trx: Transaction,
  organizationId: string,
  addressKeys: readonly string[],
  brands: SubscribedBrands,
) => rowsOf<AddressTally>(trx)`
  select p.address_key, count(distinct b.id) as suppressed_count,
    count(distinct b.id) - count(distinct b.id) filter (where p.state <> 'paused') as paused_count,
    coalesce(array_agg(p.state) filter (where p.brand_id is null), '{}') as states
  from (
    select organization_id, address_key, brand_id,
      subscription_state(value, brand_id, topic_id, until, brand_id, null) as state
    from consent_records
    where organization_id = ${organizationId} and address_key = any(${addressKeys}::text[])
  ) p
  left join current_brands b on b.organization_id = p.organization_id and b.id = p.brand_id
    and ${isAmong(brands)}
  where p.state is not null
  group by p.address_key
`;

interface BrandStates {
  id: string;
  name: string;
  client: { id: string; name: string };
  /** States of all suppressions and pauses that apply to the brand. */
  states: SuppressedState[];
}

interface OfAddress {
  organizationId: string;
  addressKey: string;
  limit: number;
}

/** Lists brands by client and name; brands with their own suppression or a pause come first. */
export const listBrandStates = (
  trx: Transaction,
  { organizationId, addressKey, limit, of }: OfAddress & { of: SubscribedBrands },
) => rowsOf<BrandStates>(trx)`
  select b.id, b.name, jsonb_build_object('id', b.client_id, 'name', b.client_name) as client,
    coalesce(holding.states, '{}') as states
  from current_brands b
  left join lateral (
    select array_agg(p.state) as states, bool_or(p.brand_id is not null) as is_own
    from (
      select brand_id, subscription_state(value, brand_id, topic_id, until, b.id, null) as state
      from consent_records
      where organization_id = ${organizationId} and address_key = ${addressKey}
    ) p
    where p.state is not null
  ) holding on true
  where b.organization_id = ${organizationId} and ${isAmong(of)}
  order by coalesce(holding.is_own, false) desc, lower(b.client_name), lower(b.name), b.id
  limit ${limit}
`;

/** Lists the suppressions of an address, newest first; omits deleted brands. */
export const listSuppressionsOf = (
  trx: Transaction,
  { addressKey, limit }: OfAddress,
): Promise<StoredSuppression[]> =>
  listSuppressionPage(trx, { address: addressKey, page: 0, page_size: limit, order: 'created_at.desc' });

/** Lists resubscriptions, newest first; omits deleted brands. */
export const listResubscriptions = (
  trx: Transaction,
  { organizationId, addressKey, limit }: OfAddress,
) => rowsOf<Resubscription>(trx)`
  select r.brand_id, r.created_at as at, r.basis, r.suppressed_at,
    subscription_state(r.reason, r.brand_id, null, null, r.brand_id, null) as state,
    case when u.id is not null then jsonb_build_object('id', u.id, 'full_name', u.full_name) end as by
  from resubscriptions r
  left join users u on u.id = r.created_by
  where r.organization_id = ${organizationId} and r.address_key = ${addressKey}
    and (r.brand_id is null or r.brand_id in (select b.id from current_brands b))
  order by r.created_at desc, r.id desc
  limit ${limit}
`;
