import { sql, type RawBuilder } from 'kysely';
import type { Item } from '@reachout/contract/content.ts';
import type { ExclusionReason } from '@reachout/contract/statuses.ts';
import {
  maxInputLength,
  maxOrdinaryLength,
  ordinaryAddress,
  whitespace,
} from '../../email/addresses/address.ts';
import { ruleToSql } from '../../content/built-in/filter-rule-sql.ts';
import type { Audience } from './audience.ts';

/**
 * An audience with the data needed to validate its addresses.
 * `domains` maps each lower-cased domain that PostgreSQL cannot convert itself to its ASCII form; a domain that is missing
 * there is invalid.
 */
export interface ValidatedAudience extends Audience {
  domains: Record<string, string>;
  rows: ContactRows;
}

/**
 * The source of the contacts: a built-in collection or some of its keys, a reading of a remote backend, or items in memory. The
 * rule is applied only to a built-in collection; the others contain only matching contacts.
 */
export type ContactRows =
  | 'collection'
  | { keys: readonly string[] }
  | { readingId: string }
  | { items: readonly Item[] };

/** SQL `from` and `where` clauses with an alias `item` that has `id` and `data`. */
export function fromContacts(
  organizationId: string,
  { endpoint, collection, rule, field_mapping, emailIsUnique }: Audience,
  rows: ContactRows,
): RawBuilder<unknown> {
  const keyOf = (item: string) =>
    sql`lower(btrim(${sql.ref(`${item}.data`)} ->> ${field_mapping.email}::text))`;
  // With others that have the same addresses and are marked: these exclude the address.
  const ofKeys = (keys: readonly string[]) =>
    sql`(item.id = any(${keys}::text[])${
      emailIsUnique || field_mapping.unsubscribed === null
        ? sql``
        : sql` or ${isUnsubscribed(field_mapping)} and ${keyOf('item')} in (
            select ${keyOf('wanted')} from content_items wanted
            where wanted.organization_id = ${organizationId} and wanted.collection = ${collection} and wanted.id = any(${keys}::text[]))`
    })`;
  if (rows === 'collection' || 'keys' in rows) {
    if (endpoint !== null) throw new Error('Remote contacts have to be read first.');
    return sql`from content_items item
        where item.organization_id = ${organizationId} and item.collection = ${collection}
          and ${rows === 'collection' ? ruleToSql(rule) : ofKeys(rows.keys)}`;
  }
  if ('readingId' in rows)
    return sql`from audience_reading_contacts item
        where item.organization_id = ${organizationId} and item.reading_id = ${rows.readingId}`;
  const items = rows.items.map(({ id, ...data }) => ({ id, data }));
  return sql`from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as item(id text, data jsonb) where true`;
}

/** Number of contacts per exclusion reason; null for contacts that will receive the email. */
export type AudienceTally = { reason: ExclusionReason | null; count: number }[];

/**
 * The only definition of an audience: each matched contact with the reason why it is excluded. Everything that counts, shows
 * or stores an audience selects from this.
 *
 * Of several contacts with the same address, only the first by id is a recipient. If any of them is unsubscribed, the
 * address is excluded. Opt-outs by link or by staff are suppressions of the address and count as unsubscribed, like the
 * contact's own field.
 */
export function selectValidated(organizationId: string, audience: ValidatedAudience): RawBuilder<unknown> {
  const { duplicatesJoin, isDuplicate } = mightHaveDuplicates(audience)
    ? findDuplicates(organizationId, audience)
    : noDuplicates;
  const laterReasons = sql`
        when ${isDuplicate} then 'duplicate_address'
        when contact.unsubscribed
          ${duplicatesJoin === noDuplicates.duplicatesJoin ? sql`` : sql`or same_address.unsubscribed`} then 'unsubscribed'
        else ${exclusionOf(organizationId, audience)}`;
  return sql`
    select contact.id, contact.data, contact.text,
      case when contact.ordinary is null then ${deliverable(sql`contact.address`)} else contact.ordinary end as address,
      case
        when contact.ordinary is not null then case ${laterReasons} end
        when contact.text is null or contact.text = '' then 'no_address'
        when not coalesce(${isValid(audience)}, false) then 'invalid_address'
        ${laterReasons}
      end as reason
    from (${addressed(organizationId, audience)}) contact
    ${duplicatesJoin}
    ${joinConsent(organizationId, audience, addressKey)}
    offset 0
  `;
}

type Sender = Pick<Audience, 'brandId' | 'topicId'>;

/**
 * Joins what is stored about the address and applies to the brand and the topic, for `exclusionOf`. Choices of the topic are not
 * aggregated with the other records: an address has one at most, and there may be one of each contact.
 * @param key  the address in the form that records have
 */
export const joinConsent = (
  organizationId: string,
  { brandId, topicId }: Sender,
  key: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
    left join (
      select address_key,
        min(case state when 'unsubscribed' then 1 when 'paused' then 3 else 2 end) as rank
      from (
        select address_key, subscription_state(value, brand_id, topic_id, until, ${brandId}::uuid, null) as state
        from consent_records
        where organization_id = ${organizationId} and kind in ('suppression', 'pause')
      ) record
      where state is not null
      group by address_key
    ) consent on consent.address_key = ${key}
    ${
      topicId === null
        ? sql``
        : sql`left join (
      select address_key,
        subscription_state(value, brand_id, topic_id, until, ${brandId}::uuid, ${topicId}::uuid) as state
      from consent_records
      where organization_id = ${organizationId} and topic_id = ${topicId}::uuid
    ) choice on choice.address_key = ${key}`
    }`;

/** The reason why an address is excluded; null: it is not. */
export const exclusionOf = (
  organizationId: string,
  { topicId }: Sender,
): RawBuilder<ExclusionReason | null> => sql`case
          when consent.rank = 1 then 'unsubscribed'
          when consent.rank = 2 then 'suppressed'
          ${
            topicId === null
              ? sql``
              : sql`when coalesce(choice.state, (select state_without_choice(${organizationId}::uuid, ${topicId}::uuid)))
            = 'not_subscribed' then 'not_subscribed'`
          }
          when consent.rank = 3 then 'paused'
        end`;

/** Selects all matching contacts with their addresses, to look up contacts that were selected earlier. */
export const selectContacts = (
  organizationId: string,
  audience: ValidatedAudience,
): RawBuilder<unknown> => sql`
    select id, ${addressKey} as address_key, unsubscribed from (${addressed(organizationId, audience)}) contact
  `;

/** The name of a contact's time zone as entered, in lower case. @param contact  alias of a row with `data` */
export const timeZoneOf = ({ field_mapping }: Audience, contact: string): RawBuilder<string | null> =>
  field_mapping.time_zone === null
    ? sql`null::text`
    : sql`lower(btrim(${sql.ref(`${contact}.data`)} ->> ${field_mapping.time_zone}::text))`;

/**
 * Whether opens and clicks are measured in a message of the audience's brand to a contact.
 * @param contact  alias of a row with `data` and `address`
 */
export const trackingOf = (
  organizationId: string,
  { brandId, field_mapping }: Audience,
  contact: string,
): TrackingSql & {
  /** What the field of the contact says; null: nothing. */
  consent: RawBuilder<boolean | null>;
} => {
  const consent = consentOf(field_mapping, contact);
  return { consent, ...trackingWith(organizationId, brandId, contact, consent) };
};

interface TrackingSql {
  /** Joins what the address has chosen. */
  join: RawBuilder<unknown>;
  isTracked: RawBuilder<boolean>;
}

/**
 * The same, for a consent that is known.
 * @param recipient  alias of a row with `address`
 */
export const trackingWith = (
  organizationId: string,
  brandId: string | null,
  recipient: string,
  consent: RawBuilder<boolean | null>,
): TrackingSql => ({
  join: sql`left join tracking_records tracking on tracking.organization_id = ${organizationId}
      and tracking.brand_id = ${brandId}::uuid and tracking.address_key = lower(${sql.ref(`${recipient}.address`)})`,
  isTracked: sql`is_tracked((select tracking_policy from tracking_policies where organization_id = ${organizationId} and brand_id = ${brandId}::uuid),
      tracking.is_allowed, ${consent})`,
});

const consentOf = (
  { tracking_consent }: Audience['field_mapping'],
  contact: string,
): RawBuilder<boolean | null> =>
  tracking_consent === null
    ? sql`null::boolean`
    : sql`${sql.ref(`${contact}.data`)} ->> ${tracking_consent}::text = 'true'`;

/** Anything but a no: a Directus may give a boolean of its database as a number. */
const isUnsubscribed = ({ unsubscribed }: Audience['field_mapping']): RawBuilder<boolean> =>
  unsubscribed === null
    ? sql`false`
    : sql`coalesce(item.data ->> ${unsubscribed}::text not in ('false', '0', ''), false)`;

/** A unique field contains each address once, unless converting domains makes different texts equal. */
const mightHaveDuplicates = (audience: ValidatedAudience): boolean =>
  !audience.emailIsUnique || Object.keys(audience.domains).length > 0;

const noDuplicates = { duplicatesJoin: sql``, isDuplicate: sql`false` };

const findDuplicates = (organizationId: string, audience: ValidatedAudience) => ({
  duplicatesJoin: sql`left join (
      select ${addressKey} as address_key, min(id) as first_id, bool_or(unsubscribed) as unsubscribed
      from (${addressed(organizationId, audience)}) contact
      group by 1
      having count(*) > 1
    ) same_address on same_address.address_key = ${addressKey}`,
  isDuplicate: sql`same_address.first_id <> contact.id`,
});

/** The form in which addresses are compared. */
const addressKey = sql`case when contact.ordinary is null then lower(contact.address) else contact.ordinary end`;

/** Selects matched contacts with their addresses; null if the domain cannot be converted. */
function addressed(organizationId: string, audience: ValidatedAudience): RawBuilder<unknown> {
  const address =
    Object.keys(audience.domains).length === 0
      ? sql`text`
      : sql`case when ordinary is null and ${isUnusual(sql`text`)}
          then left(text, strpos(text, '@')) || (${JSON.stringify(audience.domains)}::jsonb ->> ${domainOf(sql`text`)})
          else text end`;
  return sql`
    select id, data, unsubscribed, ordinary, text, ${address} as address
    from (${matched(organizationId, audience)}) contact
  `;
}

/** Whether the addresses were validated when the contacts were written: `content_items.has_ordinary_email`. */
export const isJudged = ({ field_mapping }: Audience, rows: ContactRows): boolean =>
  (rows === 'collection' || 'keys' in rows) && field_mapping.email === 'email';

/** One more than email/addresses/address.ts accepts, so that truncated text is still too long. */
const maxAddressLength = maxInputLength + 1;

/**
 * Selects matched contacts with the text of their address field. `offset 0` keeps PostgreSQL from flattening this into the
 * outer query, where it would extract the field from the document for every use (18 s instead of 2 s for a million
 * contacts). Nearly all addresses are ordinary and need no trimming, lower-casing or validation.
 */
function matched(organizationId: string, audience: ValidatedAudience): RawBuilder<unknown> {
  const [judged, isOrdinary] = isJudged(audience, audience.rows)
    ? [sql`, item.has_ordinary_email`, sql`has_ordinary_email`]
    : [sql``, sql`octet_length(field) < ${sql.lit(maxOrdinaryLength)} and field ~ ${ordinaryAddress}`];
  return sql`
    select id, data, unsubscribed, ordinary,
      case when ordinary is null then left(btrim(field, ${whitespace}), ${sql.lit(maxAddressLength)}) else ordinary end as text
    from (
      select id, data, unsubscribed, field, case when ${isOrdinary} then field end as ordinary
      from (
        select item.id, item.data, item.data ->> ${audience.field_mapping.email}::text as field,
          ${isUnsubscribed(audience.field_mapping)} as unsubscribed${judged}
        ${fromContacts(organizationId, audience, audience.rows)}
        offset 0
      ) item
      offset 0
    ) item
    offset 0
  `;
}

export const domainOf = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`lower(substr(${text}, strpos(${text}, '@') + 1))`;

/** Whether the text is not ASCII, or may contain an `xn--` label. */
export const isUnusual = (text: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(octet_length(${text}) <> length(${text}) or ${mightBeTranslated(text)})`;

const mightBeTranslated = (text: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(strpos(${text}, '--') > 0 and ${text} ~* 'xn--')`;

/**
 * Same rule as email/addresses/address.ts; a test keeps the two in sync. Searches for invalid parts, because PostgreSQL does
 * that four times as fast as matching the whole address: 0.8 us compared to 2 to 5 us. Converted domains were already
 * validated by email/addresses/address.ts.
 */
function isValid(audience: ValidatedAudience): RawBuilder<boolean> {
  const at = sql`strpos(contact.address, '@')`;
  const length = sql`length(contact.address) <= 254 and ${at} between 2 and 65`;
  const plain = sql`contact.address !~ ${wrongAddress}
    and (length(contact.address) < 66 or contact.address !~ '@.*[^.]{64}')`;
  if (Object.keys(audience.domains).length === 0) {
    return sql`(${length} and ${plain} and not ${mightBeTranslated(sql`contact.text`)})`;
  }
  return sql`(${length} and case when ${isUnusual(sql`contact.text`)}
    then left(contact.address, ${at}) !~ ${wrongLocalPart} else ${plain} end)`;
}

const notInLocalPart = "[^A-Za-z0-9_#$&'*+/=?^`{}~.@-]";
const wrongLocalPart = `${notInLocalPart}|^[./-]|[.][.]|[.]@`;
const wrongAddress = [
  wrongLocalPart,
  // Labels consist of letters, digits and hyphens, with no hyphen at either end.
  '@[.-]|@[^@]*([^A-Za-z0-9.-]|-[.]|[.]-)|[.-]$',
  // At least two labels, the last one of two or more letters only.
  '@[^.]*$|[.][A-Za-z]$|[^A-Za-z.][^.]*$',
].join('|');

/** The address to send to: local part as entered, domain in lower case. */
const deliverable = (address: RawBuilder<unknown>): RawBuilder<string> =>
  sql`case when ${address} = lower(${address}) then ${address}
    else left(${address}, strpos(${address}, '@')) || lower(substr(${address}, strpos(${address}, '@') + 1)) end`;
