import { whitespace } from '../../email/addresses/address.ts';
import { sql, type RawBuilder } from 'kysely';
import type { ContactTest } from '../../email/email-content.ts';
import { onlyValueOf, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { isStorable } from '../../content/backend/field-values.ts';
import type { Audience } from './audience.ts';
import {
  domainOf,
  fromContacts,
  isJudged,
  isUnusual,
  selectValidated,
  timeZoneOf,
  trackingOf,
  type ContactRows,
  type ValidatedAudience,
  type AudienceTally,
} from './audience-sql.ts';

/**
 * Finds the lower-cased non-ASCII domains of matched addresses, for conversion to A-labels. Most audiences have none; the
 * query then costs one parallel scan of the contacts.
 */
export async function findUnusualDomains(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  rows: ContactRows,
  limit: number,
): Promise<string[]> {
  const text = sql`(item.data ->> ${audience.field_mapping.email}::text)`;
  const found = await sql<{ domain: string }>`
    select distinct ${domainOf(sql`btrim(${text}, ${whitespace})`)} as domain
    ${fromContacts(organizationId, audience, rows)} and ${isJudged(audience, rows) ? sql`not item.has_ordinary_email and` : sql``} ${isUnusual(text)}
    limit ${limit}
  `.execute(trx);
  return found.rows.map(({ domain }) => domain);
}

type CountedReason = AudienceTally[number] & {
  /** Whose opens and clicks are not measured. */
  not_measured: number;
  passed: number[];
};

/** Tallies all matching contacts in one scan. @param tests  each is counted over the contacts that will receive the email */
export async function tallyAudience(
  trx: Transaction,
  organizationId: string,
  audience: ValidatedAudience,
  tests: readonly ContactTest[],
): Promise<CountedReason[]> {
  const { join, isTracked } = trackingOf(organizationId, audience, 'contact');
  return await rowsOf<CountedReason>(trx)`
    select reason, count(*) as count, count(*) filter (where not ${isTracked}) as not_measured,
      ${countPassed(tests, sql`reason is null and`)} as passed
    from (${selectValidated(organizationId, audience)}) contact
    ${join}
    group by reason
  `;
}

/** Counts the recipients of each time zone. @param zones  names in lower case; recipients without one of them count as null */
export const tallyZones = (
  trx: Transaction,
  organizationId: string,
  audience: ValidatedAudience,
  zones: readonly string[],
) => rowsOf<{ time_zone: string | null; count: number }>(trx)`
  select zone.name as time_zone, count(*)::int as count
  from (
    select ${timeZoneOf(audience, 'validated')} as time_zone
    from (${selectValidated(organizationId, audience)}) validated
    where reason is null
  ) contact
  left join unnest(${[...zones]}::text[]) zone(name) on zone.name = contact.time_zone
  group by zone.name
  order by count(*) desc, zone.name
`;

export interface BrandTally {
  /** Brands with the most suppressed contacts first. */
  brands: { id: string; name: string; suppressed: number }[];
  /** Number of brands, including those beyond the limit. */
  count: number;
}

/** For an audience without a brand: counts, per brand, the recipients whose address gets no email of that brand. */
export async function tallyBrands(
  trx: Transaction,
  organizationId: string,
  audience: ValidatedAudience,
  limit: number,
): Promise<BrandTally> {
  const { rows } = await sql<BrandTally['brands'][number] & { brands: number }>`
    select brand.id, brand.name, count(distinct contact.id)::int as suppressed, (count(*) over ())::int as brands
    from (${selectValidated(organizationId, audience)}) contact
    join consent_records record on record.organization_id = ${organizationId} and record.kind in ('suppression', 'pause')
      and record.address_key = lower(contact.address)
    join current_brands brand on brand.organization_id = record.organization_id and brand.id = record.brand_id
    where contact.reason is null
      and subscription_state(record.value, record.brand_id, record.topic_id, record.until, brand.id, null) is not null
    group by brand.id, brand.name
    order by suppressed desc, brand.id
    limit ${limit}
  `.execute(trx);
  return {
    brands: rows.map(({ id, name, suppressed }) => ({ id, name, suppressed })),
    count: rows[0]?.brands ?? 0,
  };
}

/** @returns for each condition whether it holds for one contact, as 0 or 1 */
export const testContact = (
  trx: Transaction,
  data: Record<string, unknown>,
  tests: readonly ContactTest[],
) => onlyValueOf<number[]>(trx)`
  select ${countPassed(tests)} as passed from (select ${JSON.stringify(data)}::jsonb as data offset 0) contact
`;

const countPassed = (tests: readonly ContactTest[], also: RawBuilder<unknown> = sql``) =>
  sql`array[${sql.join(tests.map((test) => sql`count(*) filter (where ${also} ${isEmpty(test)})::int`))}]::int[]`;

/** Whether a merge tag prints nothing for the contact in a column `data`; never null. */
function isEmpty({ path, hasFallback }: ContactTest): RawBuilder<boolean> {
  // Templates may contain texts that PostgreSQL cannot store.
  if (!path.every(isStorable)) return sql.lit(!hasFallback);
  const text = sql`coalesce(data #>> ${path}::text[], '')`;
  const trimmed = sql`btrim(${text}, ${sql.lit(whitespace)})`;
  return hasFallback
    ? sql`(${text} <> '' and ${trimmed} = '')`
    : sql`(case ${trimmed} when '' then true when '[]' then jsonb_typeof(data #> ${path}::text[]) = 'array' else false end)`;
}

/** Selects the first contacts by id that will receive the email. */
export const selectSample = (
  trx: Transaction,
  organizationId: string,
  audience: ValidatedAudience,
  limit: number,
) => rowsOf<{ id: string; email: string; data: Record<string, never> }>(trx)`
  select id, address as email, data
  from (${selectValidated(organizationId, audience)}) contact
  where reason is null
  order by id
  limit ${limit}
`;

/** The recipients with which an email is tried before a send. */
interface TrialSelection {
  /** First-level fields of a contact that the email reads; null for all. */
  fields: readonly string[] | null;
  /** Fields with the address of a link. */
  linkFields: readonly string[];
  limit: number;
  /** Maximum characters of all their data. */
  dataLimit: number;
}

/**
 * Selects recipients for a trial, those with unusual values first: lists and objects, long and empty texts, and addresses of
 * links other than those of web pages. Whether these are a problem only rendering can tell.
 */
export async function selectForTrial(
  trx: Transaction,
  organizationId: string,
  audience: ValidatedAudience,
  { fields, linkFields, limit, dataLimit }: TrialSelection,
): Promise<{ data: Record<string, unknown>; is_unusual: boolean }[]> {
  const unusual = [
    ...(fields ?? []).map(
      (name) => sql`(coalesce(btrim(data ->> ${name}::text, ${whitespace}), '') = ''
        or octet_length(data ->> ${name}::text) > 200
        or jsonb_typeof(data -> ${name}::text) in ('object', 'array'))`,
    ),
    ...linkFields.map((name) => sql`coalesce(data ->> ${name}::text, '') !~* ${ordinaryLink}`),
  ];
  const read =
    fields === null
      ? sql`data`
      : sql`(select coalesce(jsonb_object_agg(name, data -> name), '{}') from unnest(${fields}::text[]) name where data ? name)`;
  return await rowsOf<{ data: Record<string, unknown>; is_unusual: boolean }>(trx)`
    select data, is_unusual
    from (
      select data, is_unusual, sum(octet_length(data::text)) over (order by is_unusual desc, id) as size
      from (
        select id, ${read} as data, is_unusual
        from (
          select id, data, ${unusual.length === 0 ? sql`false` : sql`(${sql.join(unusual, sql` or `)})`} as is_unusual
          from (${selectValidated(organizationId, audience)}) contact
          where reason is null
          order by is_unusual desc
          limit ${limit}
        ) contact
      ) contact
    ) contact
    where size <= ${dataLimit}
  `;
}

const ordinaryLink = String.raw`^https?://[a-z0-9-]+(\.[a-z0-9-]+)+([/?#:]|$)`;
