import { sql, type RawBuilder } from 'kysely';
import type { ExclusionReason } from '@reachout/contract/statuses.ts';
import { ruleToSql } from '../built-in/filter-rule-sql.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Audience } from './audience.ts';

/**
 * An audience with what is needed to judge its addresses.
 * `domains` gives the ASCII form of each domain that PostgreSQL cannot translate itself, lower-cased as it is written;
 * one that is missing there is not valid.
 */
export interface JudgedAudience extends Audience {
  domains: Record<string, string>;
}

/** How many have which reason to be left out; null: will receive. */
export type Tally = { reason: ExclusionReason | null; count: number }[];

/**
 * Domains of matched addresses that are not plain ASCII, lower-cased; they are converted to A-labels. Mostly there
 * are none: then this costs one look at each contact, by several processes at once.
 */
export async function findUnusualDomains(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  limit: number,
): Promise<string[]> {
  const text = sql`(item.data ->> ${audience.field_mapping.email}::text)`;
  const { rows } = await sql<{ domain: string }>`
    select distinct ${domainOf(sql`btrim(${text}, ${whitespace})`)} as domain
    from content_items item
    where item.organization_id = ${organizationId} and item.collection = ${audience.collection}
      and ${ruleToSql(audience.rule)} and ${isUnusual(text)}
    limit ${limit}
  `.execute(trx);
  return rows.map(({ domain }) => domain);
}

export async function tallyAudience(
  trx: Transaction,
  organizationId: string,
  audience: JudgedAudience,
): Promise<Tally> {
  const { rows } = await sql<Tally[number]>`
    select reason, count(*) as count from (${judged(organizationId, audience)}) contact group by reason
  `.execute(trx);
  return rows;
}

/** The first contacts, by id, that will receive something. */
export async function selectSample(
  trx: Transaction,
  organizationId: string,
  audience: JudgedAudience,
  limit: number,
): Promise<{ id: string; email: string; data: Record<string, never> }[]> {
  const { rows } = await sql<{ id: string; email: string; data: Record<string, never> }>`
    select id, ${deliverable(sql`address`)} as email, data
    from (${judged(organizationId, audience)}) contact
    where reason is null
    order by id
    limit ${limit}
  `.execute(trx);
  return rows;
}

export interface WriteDown {
  sendId: string;
  /** The fields of a contact that the message uses; null: all. */
  contactFields: readonly string[] | null;
  /** Messages of one chunk of work, at most: a chunk has fewer where contacts are large. */
  chunkSize: number;
}

/**
 * Writes the audience into `deliveries` and cuts it into `delivery_chunks`, on the server and in one statement: the
 * numbers are exactly those of what was written. `seq` follows the order in which PostgreSQL finds the contacts: sorting
 * a million contacts by id costs as much as writing them, and nothing depends on it.
 */
export async function insertDeliveries(
  trx: Transaction,
  organizationId: string,
  audience: JudgedAudience,
  { sendId, contactFields, chunkSize }: WriteDown,
): Promise<Tally> {
  const { rows } = await sql<Tally[number]>`
    with contact as materialized (
      select id, address, reason, case when reason is null then ${variables(contactFields)} end as variables
      from (${judged(organizationId, audience)}) contact
    ),
    tally as (
      select reason, count(*) as count,
        greatest(1, least(${chunkSize}::bigint, ${chunkBytes}::bigint / max(${sizeOfVariables(contactFields)}))) as chunk_size
      from contact
      group by reason
    ),
    written as (
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      select ${organizationId}::uuid, ${sendId}::uuid, row_number() over (), id, ${deliverable(sql`address`)}, variables
      from contact
      where reason is null
    ),
    chunks as (
      insert into delivery_chunks (organization_id, send_id, lo, hi, started_upto)
      select ${organizationId}::uuid, ${sendId}::uuid, lo, least(lo + tally.chunk_size - 1, tally.count), lo - 1
      from tally, generate_series(1, tally.count, tally.chunk_size) lo
      where tally.reason is null
    )
    select reason, count from tally
  `.execute(trx);
  return rows;
}

/**
 * THE definition of an audience: each matched contact with the reason why it will not be written to. Everything that
 * counts, shows or writes down an audience selects from this.
 *
 * Of several contacts with one address the first by id stands for all, and an address is left out as soon as one of
 * them is unsubscribed: whoever said no under an address gets nothing there.
 */
function judged(organizationId: string, audience: JudgedAudience): RawBuilder<unknown> {
  const { twins, twin } = mayHaveTwins(audience) ? lookForTwins(organizationId, audience) : noTwins;
  return sql`
    select contact.id, contact.data, contact.address,
      case
        when contact.text is null or contact.text = '' then 'no_address'
        when not coalesce(${isValid(audience)}, false) then 'invalid_address'
        when ${twin} then 'duplicate_address'
        when contact.unsubscribed ${twins === noTwins.twins ? sql`` : sql`or twin.unsubscribed`} then 'unsubscribed'
        when suppressed.address_key is not null then 'suppressed'
      end as reason
    from (${addressed(organizationId, audience)}) contact
    ${twins}
    left join (
      select distinct address_key from suppressions
      where organization_id = ${organizationId} and (brand_id is null or brand_id = ${audience.brandId}::uuid)
    ) suppressed on suppressed.address_key = lower(contact.address)
    offset 0
  `;
}

/** A unique field has each address once, as long as no domain is translated: only that makes different texts one. */
const mayHaveTwins = (audience: JudgedAudience): boolean =>
  !audience.emailIsUnique || Object.keys(audience.domains).length > 0;

const noTwins = { twins: sql``, twin: sql`false` };

const lookForTwins = (organizationId: string, audience: JudgedAudience) => ({
  twins: sql`left join (
      select lower(address) as address_key, min(id) as first_id, bool_or(unsubscribed) as unsubscribed
      from (${addressed(organizationId, audience)}) contact
      group by 1
      having count(*) > 1
    ) twin on twin.address_key = lower(contact.address)`,
  twin: sql`twin.first_id <> contact.id`,
});

/** Matched contacts with the address they have; null where its domain cannot be translated. */
function addressed(organizationId: string, audience: JudgedAudience): RawBuilder<unknown> {
  const address =
    Object.keys(audience.domains).length === 0
      ? sql`text`
      : sql`case when ${isUnusual(sql`text`)}
          then left(text, strpos(text, '@')) || (${JSON.stringify(audience.domains)}::jsonb ->> ${domainOf(sql`text`)})
          else text end`;
  return sql`
    select id, data, unsubscribed, text, ${address} as address
    from (${matched(organizationId, audience)}) contact
  `;
}

/**
 * Matched contacts with what their address field says. `offset 0` keeps PostgreSQL from merging this into the outer
 * query, where it would take the field out of the document again for every use of it (18 s instead of 2 for a million).
 */
function matched(organizationId: string, audience: Audience): RawBuilder<unknown> {
  const { email, unsubscribed } = audience.field_mapping;
  return sql`
    select item.id, item.data, btrim(item.data ->> ${email}::text, ${whitespace}) as text,
      ${unsubscribed === null ? sql`false` : sql`coalesce(item.data ->> ${unsubscribed}::text = 'true', false)`} as unsubscribed
    from content_items item
    where item.organization_id = ${organizationId} and item.collection = ${audience.collection}
      and ${ruleToSql(audience.rule)}
    offset 0
  `;
}

/** What JavaScript's `trim` takes off: mail/address.ts trims before it looks. */
const whitespace =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const domainOf = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`lower(substr(${text}, strpos(${text}, '@') + 1))`;

/** Not ASCII, or perhaps with a label that says it stands for something else. */
const isUnusual = (text: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(octet_length(${text}) <> length(${text}) or ${mayBeTranslated(text)})`;

const mayBeTranslated = (text: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(strpos(${text}, '--') > 0 and ${text} ~* 'xn--')`;

/**
 * The rule of mail/address.ts; a test holds the two together. It looks for what must not be there, because
 * PostgreSQL does that four times as fast as matching the whole address: 0.8 us against 2 to 5. Domains that were
 * translated were judged by mail/address.ts itself.
 */
function isValid(audience: JudgedAudience): RawBuilder<boolean> {
  const at = sql`strpos(contact.address, '@')`;
  const length = sql`length(contact.address) <= 254 and ${at} between 2 and 65`;
  const plain = sql`contact.address !~ ${wrongAddress}
    and (length(contact.address) < 66 or contact.address !~ '@.*[^.]{64}')`;
  if (Object.keys(audience.domains).length === 0) {
    return sql`(${length} and ${plain} and not ${mayBeTranslated(sql`contact.text`)})`;
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

/** What is sent to: local part as entered, domain in lower case. */
const deliverable = (address: RawBuilder<unknown>): RawBuilder<string> =>
  sql`case when ${address} = lower(${address}) then ${address}
    else left(${address}, strpos(${address}, '@')) || lower(substr(${address}, strpos(${address}, '@') + 1)) end`;

/**
 * What a worker may have to read for one chunk. It holds several, together with everybody else's, and a worker that
 * runs out of memory sends nothing for anybody.
 */
const chunkBytes = 4_000_000;

/** What was just put together has its full size; what is copied may be compressed, and has to be written out. */
const sizeOfVariables = (contactFields: readonly string[] | null): RawBuilder<number> =>
  contactFields === null ? sql`octet_length(variables::text)` : sql`pg_column_size(variables)`;

/** PostgreSQL functions take at most 100 arguments. */
const fieldsPerObject = 50;

function variables(contactFields: readonly string[] | null): RawBuilder<unknown> {
  if (contactFields === null) return sql`data`;
  const objects = Array.from({ length: Math.ceil(contactFields.length / fieldsPerObject) }, (_, index) => {
    const fields = contactFields.slice(index * fieldsPerObject, (index + 1) * fieldsPerObject);
    return sql`jsonb_build_object(${sql.join(fields.flatMap((name) => [sql`${name}::text`, sql`data -> ${name}::text`]))})`;
  });
  return objects.length === 0 ? sql`'{}'::jsonb` : sql.join(objects, sql` || `);
}
