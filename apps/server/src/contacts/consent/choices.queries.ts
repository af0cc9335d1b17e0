import { sql, type RawBuilder } from 'kysely';
import {
  choiceKinds,
  refusals,
  type ChoiceKind,
  type ChoiceValue,
} from '@reachout/contract/rules/choices.ts';
import type { ChoiceSource, SuppressedState } from '@reachout/contract/statuses.ts';
import {
  execute,
  hasRows,
  onlyRowOf,
  rowsOf,
  valuesOf,
  type Transaction,
} from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';

// The statements that change `choices`: enter, copy to a new address, lift with a basis, take back, erase; bounces and bulk lifts
// have files of their own. What the kinds mean stands in packages/contract/src/rules/choices.ts.

export interface AddressKey {
  organizationId: string;
  addressKey: string;
}

/** An address and the brand whose mail a choice is about. */
export interface BrandAddress extends AddressKey {
  brandId: string;
}

/** Where a choice comes from. */
export interface Origin {
  /** Of what a recipient chose; not of a suppression. */
  source?: ChoiceSource;
  /** The message whose link was used. */
  send_id?: string | null;
  seq?: number | null;
  /** The member who entered it. */
  created_by?: string | null;
  /** Said by the member who entered it. Of a choice, what it is based on. */
  note?: string | null;
  /** When it was recorded elsewhere. */
  occurred_at?: string | null;
}

/** A choice to enter for an address. */
export interface NewChoice extends Origin {
  address_key: string;
  /** Null for all brands. */
  brand_id: string | null;
  kind: ChoiceKind;
  value: ChoiceValue;
  topic_id?: string;
  /** Of a pause, ISO 8601. */
  until?: string;
}

const origin = sql`source, send_id, seq, created_by, import_id, note, occurred_at`;
const columns = sql`organization_id, id, address_key, brand_id, kind, topic_id, value, until, ${origin}, changed_at`;

/**
 * Inserts rows, given by a statement over `columns`, in the order in which all transactions change them, by address and kind, so
 * that two with the same addresses wait instead of deadlocking. On conflict, an opt-out replaces a bounce, so that an address that
 * works again is not emailed against the person's will; other suppressions stay as they are. An equal choice keeps its time; another
 * value replaces it.
 * @param isCopy  from a former address: what the new one has chosen stays, and the longer pause counts, with its origin
 */
export const entering = (rows: RawBuilder<unknown>, { isCopy = false } = {}) => sql`
  insert into choices (${columns})
  select ${columns} from (${rows}) given
  where topic_id is null or exists (select from offered_topics t
    where t.organization_id = given.organization_id and t.brand_id = given.brand_id and t.id = given.topic_id)
  order by address_key, array_position(${Object.keys(choiceKinds)}::text[], kind), brand_id, topic_id
  on conflict (organization_id, address_key, kind, brand_id, topic_id, failed_send_id) do update
  set value = excluded.value, until = excluded.until, source = excluded.source, send_id = excluded.send_id, seq = excluded.seq,
    created_by = excluded.created_by, import_id = excluded.import_id, note = excluded.note, occurred_at = excluded.occurred_at,
    changed_at = excluded.changed_at
  where case choices.kind
    when 'suppression' then choices.value = 'bounce' and excluded.value <> 'bounce'
    when 'pause' then ${isCopy ? sql`choices.until < excluded.until` : sql`choices.until <> excluded.until`}
    else ${isCopy ? sql`false` : sql`choices.value <> excluded.value`}
  end`;

/** @param choices  of distinct scopes; topics that are not of the brand are left out @returns the number of entered or replaced ones */
export async function enterChoices(
  trx: Transaction,
  organizationId: string,
  choices: readonly NewChoice[],
): Promise<number> {
  if (choices.length === 0) return 0;
  const given = choices.map((choice) => ({ id: newId(), ...choice }));
  const { numAffectedRows } = await entering(sql`
    select ${organizationId}::uuid as organization_id, null::uuid as import_id, now() as changed_at, choice.*
    from json_to_recordset(${JSON.stringify(given)}::json) as choice(id uuid, address_key text, brand_id uuid, kind text,
      topic_id uuid, value text, until timestamptz, source text, send_id uuid, seq int, created_by uuid, note text,
      occurred_at timestamptz)
  `).execute(trx);
  return Number(numAffectedRows ?? 0n);
}

const isRefusal = sql<boolean>`value = any(${[...refusals]}::text[]) and (until is null or until > now())`;

/** Copies refusals, with their dates, to a contact's new address. */
export async function copyRefusals(
  trx: Transaction,
  organizationId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await entering(
    sql`
      select organization_id, gen_random_uuid() as id, ${to} as address_key, brand_id, kind, topic_id, value, until, ${origin}, changed_at
      from choices where organization_id = ${organizationId} and address_key = ${from} and ${isRefusal}`,
    { isCopy: true },
  ).execute(trx);
}

/** @param since  ISO 8601; null: all @returns addresses with an opt-out from all brands, at most 100,000, the latest first */
export const listOptOuts = (
  trx: Transaction,
  organizationId: string,
  since: string | null,
) => valuesOf<string>(trx)`
  select address_key from choices
  where organization_id = ${organizationId} and kind = 'suppression' and value = 'unsubscribe' and brand_id is null
    and (${since}::timestamptz is null or changed_at >= ${since})
  order by changed_at desc
  limit 100000
`;

/** @returns those of the addresses that have something which `copyRefusals` copies */
export const listRefusing = (
  trx: Transaction,
  organizationId: string,
  addressKeys: readonly string[],
) => valuesOf<string>(trx)`
  select distinct address_key from choices
  where organization_id = ${organizationId} and address_key = any(${addressKeys}::text[]) and ${isRefusal}
`;

/** A block that no member has entered: the operator of the installation made it in the table itself. */
const isOfOperator = sql<boolean>`(value = 'manual' and created_by is null and import_id is null)`;

/** Opt-outs that the holder of the address has entered. @param message  only those that its link has stored */
const byLink = (message?: ByMessage): RawBuilder<boolean> =>
  sql`(value = 'unsubscribe' and ${
    message === undefined
      ? sql`send_id is not null`
      : sql`send_id = ${message.sendId} and seq = ${message.seq}`
  })`;

/** The suppressions to lift, with the basis for lifting them. */
export interface Lifting extends AddressKey {
  /** Null for those of all brands. */
  brandId: string | null;
  basis: string;
  /** Null: the holder of the address. Lifts only what was entered by the link in a message. */
  createdBy: string | null;
  /** Only what the link in this message has stored. */
  message?: ByMessage | undefined;
}

/** Records the rows of a table `lifted` of deleted suppressions. */
export const recordLifted = (
  basis: RawBuilder<unknown>,
  createdBy: RawBuilder<unknown>,
  brandId = sql`brand_id`,
): RawBuilder<unknown> => sql`
  insert into resubscriptions
    (organization_id, id, brand_id, address_key, reason, send_id, suppressed_at, basis, created_by)
  select organization_id, gen_random_uuid(), ${brandId}, address_key, value, send_id, changed_at, ${basis}, ${createdBy}
  from lifted`;

/**
 * Lifts the suppressions of an address for one brand or for all brands, and records them. Lifting those for all brands
 * requires full access scope. Suppressions entered by the operator are never lifted here.
 * @returns number of lifted suppressions
 */
export async function liftSuppressions(
  trx: Transaction,
  { organizationId, brandId, addressKey, basis, createdBy, message }: Lifting,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with lifted as (
      delete from choices
      where organization_id = ${organizationId} and address_key = ${addressKey} and brand_id is not distinct from ${brandId}::uuid
        and kind = 'suppression' and (brand_id is not null or (select has_full_access_scope())) and not ${isOfOperator}
        and ${createdBy === null ? byLink(message) : sql`true`}
      returning *
    )
    ${recordLifted(sql`${basis}`, sql`${createdBy}::uuid`)}
  `.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** What a person takes back for mail of one brand. */
export interface NewConsent extends BrandAddress {
  basis: string;
}

/**
 * Lifts the opt-outs and complaints of a person who wants mail of one brand again, and records them. One that applies to
 * all brands becomes one for each of the others. Bounces and blocks stay.
 * @param isByLinkOnly  lifts only what was entered by the link in a message
 * @param message  only what the link in this message has stored
 */
export const liftByPerson = (
  trx: Transaction,
  { organizationId, brandId, addressKey, basis }: NewConsent,
  { isByLinkOnly = false, message }: { isByLinkOnly?: boolean; message?: ByMessage | undefined } = {},
) => execute(trx)`
  with lifted as (
    delete from choices
    where organization_id = ${organizationId} and address_key = ${addressKey} and kind = 'suppression'
      and (brand_id is null or brand_id = ${brandId}) and value in ('unsubscribe', 'complaint')
      and ${isByLinkOnly ? byLink(message) : sql`true`}
    returning *
  ),
  kept as (
    ${entering(sql`
      select lifted.organization_id, gen_random_uuid() as id, address_key, b.id as brand_id, kind, topic_id, value, until, ${origin},
        lifted.changed_at
      from lifted
      join brands b on b.organization_id = lifted.organization_id and b.id <> ${brandId}
      where lifted.brand_id is null`)}
  )
  ${recordLifted(sql`${basis}`, sql`null::uuid`, sql`${brandId}::uuid`)}
`;

/** Records a resubscription for a mark on the contact itself, whose date is unknown. */
export async function insertResubscription(
  trx: Transaction,
  { organizationId, brandId, addressKey, basis, createdBy }: Lifting,
): Promise<void> {
  await trx
    .insertInto('resubscriptions')
    .values({
      organization_id: organizationId,
      id: newId(),
      brand_id: brandId,
      address_key: addressKey,
      reason: 'unsubscribe',
      basis,
      created_by: createdBy,
    })
    .execute();
}

/** What the link in a message has stored, at addresses of its recipient. */
export interface ByMessage {
  organizationId: string;
  brandId: string;
  sendId: string;
  seq: number;
}

/** Takes back what the link of this message stored. @param topicIds  only these topics */
export const takeBack = (
  trx: Transaction,
  { organizationId, brandId, sendId, seq }: ByMessage,
  addressKeys: readonly string[],
  { kind, topicIds }: { kind: 'topic'; topicIds: readonly string[] } | { kind: 'tracking'; topicIds?: never },
) => execute(trx)`
  delete from choices
  where organization_id = ${organizationId} and address_key = any(${[...addressKeys]}::text[]) and brand_id = ${brandId}
    and kind = ${kind} and send_id = ${sendId} and seq = ${seq}
    and ${topicIds === undefined ? sql`true` : sql`topic_id = any(${[...topicIds]}::uuid[])`}
`;

export const endPause = (trx: Transaction, { organizationId, brandId, addressKey }: BrandAddress) => execute(
  trx,
)`
  delete from choices
  where organization_id = ${organizationId} and address_key = ${addressKey} and brand_id = ${brandId} and kind = 'pause'
`;

/** Deletes suppressions because of bounces of a send, and its failures. @param those  of `liftBounced` */
export const deleteBounced = (
  trx: Transaction,
  sendId: string,
  those: { recentMs: number } | { from: number; to: number } | undefined,
) => execute(trx)`
  delete from choices
  where organization_id = current_organization_id() and send_id = ${sendId} and (value = 'bounce' or kind = 'failure')
    and changed_at >= (select send_date from touchpoint_sends where id = ${sendId})
    and ${
      those === undefined
        ? sql`true`
        : 'recentMs' in those
          ? sql`changed_at >= now() - make_interval(secs => ${those.recentMs / 1_000})`
          : sql`seq between ${those.from} and ${those.to}`
    }
`;

/** A choice of an address that is about one brand, or about all. */
export interface AppliedChoice {
  kind: ChoiceKind;
  value: ChoiceValue;
  /** What it causes for mail of the brand without a topic; null: nothing, as a pause that has ended. */
  state: SuppressedState | null;
  brand_id: string | null;
  topic_id: string | null;
  until: string | null;
  send_id: string | null;
  seq: number | null;
}

/** Lists what is stored about an address and applies to a brand. */
export const listChoices = (
  trx: Transaction,
  { organizationId, brandId, addressKey }: BrandAddress,
) => rowsOf<AppliedChoice>(trx)`
  select kind, value, subscription_state(value, brand_id, topic_id, until, ${brandId}::uuid, null) as state, brand_id, topic_id,
    until, send_id, seq
  from choices
  where organization_id = ${organizationId} and address_key = ${addressKey} and (brand_id is null or brand_id = ${brandId})
`;

/** @returns those of the addresses that have opted out of all brands */
export const listOptedOutOfAll = (
  trx: Transaction,
  organizationId: string,
  addressKeys: readonly string[],
) => valuesOf<string>(trx)`
  select address_key from choices
  where organization_id = ${organizationId} and address_key = any(${addressKeys}::text[]) and brand_id is null
    and value in ('unsubscribe', 'complaint')
`;

/** Whether the operator of the installation has blocked email of this brand, or of all brands, to an address. */
export const isBlocked = (
  trx: Transaction,
  { organizationId, brandId, addressKey }: AddressKey & { brandId: string | null },
) => hasRows(trx)`
  select from choices
  where organization_id = ${organizationId} and address_key = ${addressKey} and brand_id is not distinct from ${brandId}::uuid
    and ${isOfOperator}
`;

/** Whether an opt-out, complaint or block of a brand, or of all, is newer than `since`. */
export const isSuppressedSince = (
  trx: Transaction,
  { organizationId, brandId, addressKey }: BrandAddress,
  since: string,
) => hasRows(trx)`
  select from choices
  where organization_id = ${organizationId} and address_key = ${addressKey} and kind = 'suppression'
    and (brand_id is null or brand_id = ${brandId}) and value <> 'bounce'
    and coalesce(occurred_at, changed_at) > ${since}::timestamptz
  limit 1
`;

/** Whether an address gets no mail of a brand whatever its owner says: it bounced, or was blocked. */
export const isBeyondConsent = async (trx: Transaction, address: BrandAddress): Promise<boolean> =>
  (await listChoices(trx, address)).some(({ state }) => state === 'bounced' || state === 'blocked');

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
  { organizationId, addressKey }: AddressKey,
): Promise<AddressRecords> {
  const of = sql`r.organization_id = ${organizationId} and r.address_key = ${addressKey}`;
  const brand = sql`left join current_brands b on b.organization_id = r.organization_id and b.id = r.brand_id`;
  const listed = (kind: ChoiceKind, values: RawBuilder<unknown>) => sql`
    (select coalesce(json_agg(json_build_object('brand', b.name, ${values}) order by r.changed_at), '[]')
      from choices r ${brand}
      left join offered_topics t on t.organization_id = r.organization_id and t.id = r.topic_id
      where ${of} and r.kind = ${kind})`;
  const source = sql`'source', r.source, 'at', r.changed_at`;
  return await onlyRowOf<AddressRecords>(trx)`
    select
      ${listed('suppression', sql`'reason', r.value, 'since', coalesce(r.occurred_at, r.changed_at)`)} as suppressions,
      ${listed('topic', sql`'topic', t.name, 'is_subscribed', r.value = 'subscribed', ${source}`)} as topics,
      ${listed('pause', sql`'until', r.until, ${source}`)} as pauses,
      ${listed('tracking', sql`'is_allowed', r.value = 'allowed', ${source}`)} as tracking,
      (select coalesce(json_agg(json_build_object('brand', b.name, 'reason', r.reason, 'suppressed_at', r.suppressed_at,
        'at', r.created_at) order by r.created_at), '[]')
        from (select r.* from resubscriptions r where ${of} order by r.created_at desc limit ${maxResubscriptions}) r ${brand}
      ) as resubscriptions
  `;
}

/** Deletes what is recorded about an address. */
export async function deleteAddressRecords(
  trx: Transaction,
  { organizationId, addressKey }: AddressKey,
): Promise<void> {
  await sql`delete from choices where organization_id = ${organizationId} and address_key = ${addressKey}`.execute(
    trx,
  );
  await sql`select erase_resubscriptions(${addressKey})`.execute(trx);
}
