import { sql } from 'kysely';
import type { Row, Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';

/** Identifies the email of one brand, or of all brands, to an address. */
interface OptOutKey {
  organizationId: string;
  /** Null for all brands. */
  brandId: string | null;
  addressKey: string;
}

/** The message whose link was used; nulls for an opt-out that only a member can lift. */
interface OfMessage {
  sendId: string | null;
  seq: number | null;
}

interface OptOut extends OptOutKey {
  /** User who entered it; null for jobs. */
  createdBy: string | null;
  note: string | null;
}

/**
 * On conflict, an opt-out replaces a bounce, so that an address that works again is not emailed against the person's will.
 * Other existing suppressions stay unchanged.
 */
const insteadOfBounce = sql`
  on conflict (organization_id, address_key, brand_id) do update
  set reason = excluded.reason, created_at = excluded.created_at, created_by = excluded.created_by,
    import_id = excluded.import_id, note = excluded.note, occurred_at = excluded.occurred_at, send_id = excluded.send_id,
    seq = excluded.seq
  where suppressions.reason = 'bounce' and excluded.reason <> 'bounce'`;

export async function insertOptOut(trx: Transaction, optOut: OptOut): Promise<void> {
  const { organizationId, brandId, addressKey, createdBy, note } = optOut;
  await sql`
    insert into suppressions (organization_id, id, brand_id, address_key, reason, created_by, note)
    values (${organizationId}::uuid, ${newId()}::uuid, ${brandId}::uuid, ${addressKey}, 'unsubscribe', ${createdBy}::uuid, ${note})
    ${insteadOfBounce}
  `.execute(trx);
}

/** Inserts the opt-outs of a recipient by the link in a message. @param addressKeys  sorted, as in all multi-row inserts */
export async function insertOptOutsByLink(
  trx: Transaction,
  { organizationId, brandId, sendId, seq }: Omit<OptOutKey, 'addressKey'> & OfMessage,
  addressKeys: readonly string[],
): Promise<void> {
  const given = addressKeys.map((address_key) => ({ id: newId(), address_key }));
  await sql`
    insert into suppressions (organization_id, id, brand_id, address_key, reason, send_id, seq)
    select ${organizationId}::uuid, id, ${brandId}::uuid, address_key, 'unsubscribe', ${sendId}::uuid, ${seq}::int
    from json_to_recordset(${JSON.stringify(given)}::json) as given(id uuid, address_key text)
    order by address_key
    ${insteadOfBounce}
  `.execute(trx);
}

/**
 * Lists the brands that the field `unsubscribed` of a collection's contacts applies to: the brands of the collection's
 * owner, or null (all brands) for a shared collection.
 */
export async function listBrandsOfCollection(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<(string | null)[]> {
  const { rows } = await sql<{ brand_id: string | null }>`
    select b.id as brand_id
    from content_collections c
    left join brands b on b.organization_id = c.organization_id and b.client_id = c.client_id
      and (c.brand_id is null or b.id = c.brand_id)
    where c.organization_id = ${organizationId} and c.collection = ${collection} and (c.client_id is null or b.id is not null)
    order by b.id
  `.execute(trx);
  return rows.map(({ brand_id }) => brand_id);
}

/** @returns those of the addresses that have opted out of all brands */
export async function listOptedOutOfAll(
  trx: Transaction,
  organizationId: string,
  addressKeys: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ address_key: string }>`
    select address_key from suppressions
    where organization_id = ${organizationId} and address_key = any(${addressKeys}::text[]) and brand_id is null
      and subscription_state(reason, brand_id, null) in ('unsubscribed', 'complained')
  `.execute(trx);
  return rows.map(({ address_key }) => address_key);
}

/** Copies the opt-outs, declined topics, pauses and refusals to be measured, with their dates, to a contact's new address. */
export async function copyOptOuts(
  trx: Transaction,
  organizationId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`
    insert into suppressions
      (organization_id, id, brand_id, address_key, reason, send_id, seq, created_by, import_id, note, created_at, occurred_at)
    select organization_id, gen_random_uuid(), brand_id, ${to}, reason, send_id, seq, created_by, import_id, note, created_at,
      occurred_at
    from suppressions
    where organization_id = ${organizationId} and address_key = ${from} and reason in ('unsubscribe', 'complaint')
    order by brand_id
    ${insteadOfBounce}
  `.execute(trx);
  const choice = sql`organization_id, address_key, brand_id, source, send_id, seq, created_by, changed_at`;
  const copied = sql`organization_id, ${to}, brand_id, source, send_id, seq, created_by, changed_at`;
  const isOfFormer = sql`organization_id = ${organizationId} and address_key = ${from}`;
  await sql`
    insert into topic_choices (${choice}, topic_id, is_subscribed)
    select ${copied}, topic_id, is_subscribed from topic_choices where ${isOfFormer} and not is_subscribed
    order by topic_id
    on conflict do nothing
  `.execute(trx);
  await sql`
    insert into pauses (${choice}, until)
    select ${copied}, until from pauses where ${isOfFormer} and until > now()
    order by brand_id
    on conflict (organization_id, address_key, brand_id) do update set until = excluded.until, changed_at = excluded.changed_at
    where pauses.until < excluded.until
  `.execute(trx);
  await sql`
    insert into tracking_choices (${choice}, is_allowed)
    select ${copied}, is_allowed from tracking_choices where ${isOfFormer} and not is_allowed
    order by brand_id
    on conflict do nothing
  `.execute(trx);
}

/** @returns those of the addresses that have something which `copyOptOuts` copies */
export async function listRefusing(
  trx: Transaction,
  organizationId: string,
  addressKeys: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ address_key: string }>`
    select given.address_key from unnest(${addressKeys}::text[]) given(address_key)
    where exists (select from suppressions s where s.organization_id = ${organizationId} and s.address_key = given.address_key)
      or exists (select from topic_choices c where c.organization_id = ${organizationId} and c.address_key = given.address_key)
      or exists (select from pauses p where p.organization_id = ${organizationId} and p.address_key = given.address_key)
      or exists (select from tracking_choices t where t.organization_id = ${organizationId} and t.address_key = given.address_key)
  `.execute(trx);
  return rows.map(({ address_key }) => address_key);
}

/** A collection of contacts that an import writes to. */
export interface ImportedContacts {
  organizationId: string;
  collection: string;
  importId: string;
  /** The unique field by which the import matches contacts. */
  keyField: string;
  userCreated: string | null;
}

/**
 * Inserts the opt-outs that an import has stored, for each of the brands.
 * @param keys  distinct contact keys: normalized values of the key field
 */
export async function insertImportedOptOuts(
  trx: Transaction,
  { organizationId, collection, importId, keyField, userCreated }: ImportedContacts,
  brandIds: readonly (string | null)[],
  keys: readonly string[],
): Promise<void> {
  const given = keys.flatMap((key) => brandIds.map((brand_id) => ({ key, brand_id, id: newId() })));
  await sql`
    insert into suppressions (organization_id, id, address_key, brand_id, reason, created_by, import_id)
    select ${organizationId}::uuid, given.id, lower(item.data ->> 'email'), given.brand_id, 'unsubscribe', ${userCreated}::uuid,
      ${importId}::uuid
    from json_to_recordset(${JSON.stringify(given)}) given(id uuid, key text, brand_id uuid)
    cross join lateral (
      select item_id from content_unique_values
      where organization_id = ${organizationId} and collection = ${collection} and field = ${keyField} and value = given.key
      limit 1
    ) claim
    cross join lateral (
      select data from content_items
      where organization_id = ${organizationId} and collection = ${collection} and id = claim.item_id
      limit 1
    ) item
    where item.data ->> 'unsubscribed' = 'true' and item.data ->> 'email' <> ''
    order by 3, 4
    ${insteadOfBounce}
  `.execute(trx);
}

/** `occurred_at` null stands for now. */
export type ImportedSuppression = Row<'suppressions', 'id' | 'address_key' | 'reason' | 'occurred_at'>;

/**
 * Inserts suppressions that come from elsewhere. An opt-out replaces a bounce; other existing suppressions stay.
 * @param suppressions  of distinct addresses, sorted by them
 * @returns the number of inserted or replaced ones
 */
export async function insertImportedSuppressions(
  trx: Transaction,
  imported: { organizationId: string; brandId: string | null; userId: string; note: string },
  suppressions: readonly ImportedSuppression[],
): Promise<number> {
  const { organizationId, brandId, userId, note } = imported;
  const { numAffectedRows } = await sql`
    insert into suppressions (organization_id, id, brand_id, address_key, reason, created_by, note, occurred_at)
    select ${organizationId}::uuid, id, ${brandId}::uuid, address_key, reason, ${userId}::uuid, ${note || null}, occurred_at
    from json_to_recordset(${JSON.stringify(suppressions)}::json)
      as s(id uuid, address_key text, reason text, occurred_at timestamptz)
    order by address_key
    ${insteadOfBounce}
  `.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** A block that no member has entered: the operator of the installation made it in the table itself. */
const isOfOperator = sql<boolean>`(reason = 'manual' and created_by is null and import_id is null)`;

/** The suppressions to lift, with the basis for lifting them. */
interface Lifting extends OptOutKey {
  basis: string;
  /** Null: the holder of the address. Lifts only what was entered by the link in a message. */
  createdBy: string | null;
}

/** Whether the holder of the address has entered an opt-out. */
const isByLink = sql`reason = 'unsubscribe' and send_id is not null`;

/**
 * Lifts the suppressions of an address for one brand or for all brands, and records them. Lifting those for all brands
 * requires full access scope. Suppressions entered by the operator are never lifted here.
 * @returns number of lifted suppressions
 */
export async function liftSuppressions(trx: Transaction, lifting: Lifting): Promise<number> {
  const { organizationId, brandId, addressKey, basis, createdBy } = lifting;
  const { numAffectedRows } = await sql`
    with lifted as (
      delete from suppressions
      where organization_id = ${organizationId} and address_key = ${addressKey} and brand_id is not distinct from ${brandId}::uuid
        and (brand_id is not null or (select has_full_access_scope())) and not ${isOfOperator}
        and ${createdBy === null ? isByLink : sql`true`}
      returning brand_id, address_key, reason, send_id, created_at
    )
    insert into resubscriptions
      (organization_id, id, brand_id, address_key, reason, send_id, suppressed_at, basis, created_by)
    select ${organizationId}::uuid, gen_random_uuid(), brand_id, address_key, reason, send_id, created_at, ${basis}, ${createdBy}::uuid
    from lifted
  `.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** Whether the operator of the installation has blocked email of this brand, or of all brands, to an address. */
export async function isBlocked(
  trx: Transaction,
  { organizationId, brandId, addressKey }: OptOutKey,
): Promise<boolean> {
  const { rows } = await sql`
    select from suppressions
    where organization_id = ${organizationId} and address_key = ${addressKey} and brand_id is not distinct from ${brandId}::uuid
      and ${isOfOperator}
  `.execute(trx);
  return rows.length > 0;
}

/** Records a resubscription for a mark on the contact itself, whose date is unknown. */
export async function insertResubscription(trx: Transaction, lifting: Lifting): Promise<void> {
  await trx
    .insertInto('resubscriptions')
    .values({
      organization_id: lifting.organizationId,
      id: newId(),
      brand_id: lifting.brandId,
      address_key: lifting.addressKey,
      reason: 'unsubscribe',
      basis: lifting.basis,
      created_by: lifting.createdBy,
    })
    .execute();
}

/** What a person takes back for mail of one brand. */
export interface NewConsent {
  organizationId: string;
  brandId: string;
  addressKey: string;
  basis: string;
}

/**
 * Lifts the opt-outs and complaints of a person who wants mail of one brand again, and records them. One that applies to
 * all brands becomes one for each of the others. Bounces and blocks stay.
 * @param isByLinkOnly  lifts only what was entered by the link in a message
 */
export async function liftByPerson(
  trx: Transaction,
  { organizationId, brandId, addressKey, basis }: NewConsent,
  { isByLinkOnly = false }: { isByLinkOnly?: boolean } = {},
): Promise<void> {
  await sql`
    with lifted as (
      delete from suppressions
      where organization_id = ${organizationId} and address_key = ${addressKey}
        and (brand_id is null or brand_id = ${brandId}) and reason in ('unsubscribe', 'complaint')
        and ${isByLinkOnly ? isByLink : sql`true`}
      returning *
    ),
    kept as (
      insert into suppressions
        (organization_id, id, brand_id, address_key, reason, send_id, seq, created_by, import_id, note, created_at, occurred_at)
      select lifted.organization_id, gen_random_uuid(), b.id, address_key, reason, send_id, seq, created_by, import_id, note,
        lifted.created_at, occurred_at
      from lifted
      join brands b on b.organization_id = lifted.organization_id and b.id <> ${brandId}
      where lifted.brand_id is null
      order by b.id
      ${insteadOfBounce}
    )
    insert into resubscriptions (organization_id, id, brand_id, address_key, reason, send_id, suppressed_at, basis)
    select organization_id, gen_random_uuid(), ${brandId}::uuid, address_key, reason, send_id, created_at, ${basis}
    from lifted
  `.execute(trx);
}

/**
 * Replaces the mark `unsubscribed` of a contact who has signed up for mail of one brand: the other brands that it applied to get
 * an opt-out each. The caller removes the mark itself.
 */
export async function replaceMark(
  trx: Transaction,
  { organizationId, brandId, addressKey, basis }: NewConsent,
  collection: string,
): Promise<void> {
  await sql`
    insert into suppressions (organization_id, id, brand_id, address_key, reason)
    select b.organization_id, gen_random_uuid(), b.id, ${addressKey}, 'unsubscribe'
    from content_collections c
    join brands b on b.organization_id = c.organization_id and b.id <> ${brandId}
      and (c.client_id is null or b.client_id = c.client_id) and (c.brand_id is null or b.id = c.brand_id)
    where c.organization_id = ${organizationId} and c.collection = ${collection}
    order by b.id
    ${insteadOfBounce}
  `.execute(trx);
  await sql`
    insert into resubscriptions (organization_id, id, brand_id, address_key, reason, basis)
    values (${organizationId}, ${newId()}, ${brandId}, ${addressKey}, 'unsubscribe', ${basis})
  `.execute(trx);
}

/** Whether an opt-out, complaint or block of a brand, or of all, is newer than `since`. */
export async function isSuppressedSince(
  trx: Transaction,
  { organizationId, brandId, addressKey }: Pick<NewConsent, 'organizationId' | 'brandId' | 'addressKey'>,
  since: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from suppressions
    where organization_id = ${organizationId} and address_key = ${addressKey}
      and (brand_id is null or brand_id = ${brandId}) and reason <> 'bounce'
      and coalesce(occurred_at, created_at) > ${since}::timestamptz
    limit 1
  `.execute(trx);
  return rows.length > 0;
}

/** Whether an address gets no mail of a brand whatever its owner says: it bounced, or was blocked. */
export async function isBeyondConsent(
  trx: Transaction,
  { organizationId, brandId, addressKey }: Pick<NewConsent, 'organizationId' | 'brandId' | 'addressKey'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from suppressions
    where organization_id = ${organizationId} and address_key = ${addressKey}
      and subscription_state(reason, brand_id, ${brandId}::uuid) in ('bounced', 'blocked')
    limit 1
  `.execute(trx);
  return rows.length > 0;
}
