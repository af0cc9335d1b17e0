import { sql, type RawBuilder } from 'kysely';
import type { Item } from '@reachout/contract/content.ts';
import type { ExclusionReason } from '@reachout/contract/statuses.ts';
import { maxInputLength, maxOrdinaryLength, ordinaryAddress } from '../../email/addresses/address.ts';
import { ruleToSql } from '../built-in/filter-rule-sql.ts';
import type { Audience } from './audience.ts';

/**
 * An audience with what is needed to validate its addresses.
 * `domains` gives the ASCII form of each domain that PostgreSQL cannot translate itself, lower-cased as it is written;
 * one that is missing there is not valid.
 */
export interface ValidatedAudience extends Audience {
  domains: Record<string, string>;
  rows: ContactRows;
}

/**
 * Where the contacts are: in the collection of the built-in backend, in what was read of another one, or at hand. The first is
 * asked for those that match; of the others all do.
 */
export type ContactRows = 'collection' | { readingId: string } | { items: readonly Item[] };

/** Part of a statement: `from` and `where`, with an `item` that has `id` and `data`. */
export function fromContacts(
  organizationId: string,
  { endpoint, collection, rule }: Audience,
  rows: ContactRows,
): RawBuilder<unknown> {
  if (rows === 'collection') {
    if (endpoint !== null) throw new Error('Remote contacts have to be read first.');
    return sql`from content_items item
        where item.organization_id = ${organizationId} and item.collection = ${collection} and ${ruleToSql(rule)}`;
  }
  if ('readingId' in rows)
    return sql`from audience_reading_contacts item
        where item.organization_id = ${organizationId} and item.reading_id = ${rows.readingId}`;
  const items = rows.items.map(({ id, ...data }) => ({ id, data }));
  return sql`from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as item(id text, data jsonb) where true`;
}

/** How many have which reason to be left out; null: will receive. */
export type AudienceTally = { reason: ExclusionReason | null; count: number }[];

/**
 * THE definition of an audience: each matched contact with the reason why it will not be written to. Everything that
 * counts, shows or stores an audience selects from this.
 *
 * Of several contacts with one address the first by id stands for all, and an address is left out as soon as one of
 * them is unsubscribed: anyone who said no under an address gets nothing there. Opt-outs by link, or at the office, are
 * suppressions of the address, and count as unsubscribed like the contact's own field.
 */
export function selectValidated(organizationId: string, audience: ValidatedAudience): RawBuilder<unknown> {
  const { duplicatesJoin, isDuplicate } = mightHaveDuplicates(audience)
    ? findDuplicates(organizationId, audience)
    : noDuplicates;
  const laterReasons = sql`
        when ${isDuplicate} then 'duplicate_address'
        when contact.unsubscribed or suppressed.is_unsubscribed
          ${duplicatesJoin === noDuplicates.duplicatesJoin ? sql`` : sql`or same_address.unsubscribed`} then 'unsubscribed'
        when suppressed.address_key is not null then 'suppressed'`;
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
    left join (
      select address_key, bool_or(state = 'unsubscribed') as is_unsubscribed
      from (
        select address_key, subscription_state(reason, brand_id, ${audience.brandId}::uuid) as state
        from suppressions
        where organization_id = ${organizationId}
      ) suppression
      where state is not null
      group by address_key
    ) suppressed on suppressed.address_key = ${addressKey}
    offset 0
  `;
}

/** All contacts that match, with their addresses: to look up those that were selected earlier. */
export const selectContacts = (
  organizationId: string,
  audience: ValidatedAudience,
): RawBuilder<unknown> => sql`
    select id, ${addressKey} as address_key, unsubscribed from (${addressed(organizationId, audience)}) contact
  `;

const isUnsubscribed = ({ unsubscribed }: Audience['field_mapping']): RawBuilder<boolean> =>
  unsubscribed === null ? sql`false` : sql`coalesce(item.data ->> ${unsubscribed}::text = 'true', false)`;

/** A unique field has each address once, as long as no domain is translated: only that makes different texts one. */
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

/** What is compared with other addresses. */
const addressKey = sql`case when contact.ordinary is null then lower(contact.address) else contact.ordinary end`;

/** Matched contacts with the address they have; null where its domain cannot be translated. */
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

/** Whether the addresses were judged when the contacts were written: `content_items.has_ordinary_email`. */
export const isJudged = ({ field_mapping }: Audience, rows: ContactRows): boolean =>
  rows === 'collection' && field_mapping.email === 'email';

/** One more than email/addresses/address.ts accepts: what is cut here is still too long there. */
const maxAddressLength = maxInputLength + 1;

/**
 * Matched contacts with what their address field says. `offset 0` keeps PostgreSQL from merging this into the outer
 * query, where it would take the field out of the document again for every use of it (18 s instead of 2 for a million).
 * Nearly all addresses are ordinary: nothing is to be trimmed, lower-cased or validated any more.
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

/** The characters that JavaScript's `trim` removes, as email/addresses/address.ts does first. */
export const whitespace =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

export const domainOf = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`lower(substr(${text}, strpos(${text}, '@') + 1))`;

/** Not ASCII, or perhaps with a label that says it stands for something else. */
export const isUnusual = (text: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(octet_length(${text}) <> length(${text}) or ${mightBeTranslated(text)})`;

const mightBeTranslated = (text: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(strpos(${text}, '--') > 0 and ${text} ~* 'xn--')`;

/**
 * The rule of email/addresses/address.ts; a test holds the two together. It looks for what must not be there, because
 * PostgreSQL does that four times as fast as matching the whole address: 0.8 us against 2 to 5. Domains that were
 * translated were validated by email/addresses/address.ts itself.
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

const notInLocalPart = "[^A-Za-z0-9_!#$%&'*+/=?^`{|}~.@-]";
const wrongLocalPart = `${notInLocalPart}|^[.]|[.][.]|[.]@`;
const wrongAddress = [
  wrongLocalPart,
  // Labels of letters, digits and hyphens, a hyphen neither first nor last.
  '@[.-]|@[^@]*([^A-Za-z0-9.-]|-[.]|[.]-)|[.-]$',
  // At least two labels, the last of two letters or more and nothing else.
  '@[^.]*$|[.][A-Za-z]$|[^A-Za-z.][^.]*$',
].join('|');

/** The address to send to: local part as entered, domain in lower case. */
const deliverable = (address: RawBuilder<unknown>): RawBuilder<string> =>
  sql`case when ${address} = lower(${address}) then ${address}
    else left(${address}, strpos(${address}, '@')) || lower(substr(${address}, strpos(${address}, '@') + 1)) end`;
