import { recipientGroups } from '@reachout/contract/statuses.ts';
import { sql, type RawBuilder } from 'kysely';
import { maxEmailLength } from '@reachout/contract/rules/addresses.ts';
import {
  selectValidated,
  timeZoneOf,
  trackingOf,
  type AudienceTally,
  type ValidatedAudience,
} from '../contacts/audiences/audience-sql.ts';
import { onlyRowOf, type Transaction } from '../platform/database/database.ts';
import { hashAndSeq } from './contact-deliveries-sql.ts';
import {
  areAlike,
  chunkBytes,
  chunksOfLanes,
  commonStart,
  contactsOfWritten,
  knownDomains,
  lanesOfTally,
  type SnapshotTarget,
  type Starts,
} from './snapshot-statements.queries.ts';

/** Maximum number of unknown domains that a snapshot returns; the most frequent ones come first. */
const maxUnknownDomains = 1_000;

/** Up to this size, PostgreSQL holds the contacts in memory instead of on disk: about 150,000 contacts with two fields. */
const workMemory = '32MB';

export interface StoredSnapshot {
  tally: AudienceTally;
  /** Domains of recipients whose group is unknown, or was looked up more than 24 hours ago. */
  unknownDomains: string[];
}

/**
 * Writes the audience into `deliveries` and `delivery_exclusions`, and divides it into `delivery_chunks`, in one statement
 * inside PostgreSQL, so that the counts match the written rows exactly. `seq` is assigned lane by lane, so that a chunk has
 * one lane. Within a lane it follows the order in which PostgreSQL finds the contacts: sorting a million contacts costs as
 * much as writing them, so the found contacts are scanned once per lane that occurs instead. Only messages that start at
 * different times are sorted, by lane and time, so that a chunk has one of each.
 */
export async function insertSnapshot(
  trx: Transaction,
  organizationId: string,
  audience: ValidatedAudience,
  { sendId, contactFields, chunkSize, starts }: SnapshotTarget,
): Promise<StoredSnapshot> {
  const plan =
    starts === undefined || areAlike(starts)
      ? together(starts)
      : apart(starts, audience, { size: sizeOfVariables(contactFields), chunkSize });
  const tracking = trackingOf(organizationId, audience, 'contact');
  await sql`set local work_mem = ${sql.lit(workMemory)}`.execute(trx);
  return await onlyRowOf<StoredSnapshot>(trx)`
    with known as materialized (${knownDomains}),${plan.before}
    contact as materialized (
      select contact.id, contact.reason,
        case when contact.reason is null then contact.address
          else left(coalesce(contact.address, nullif(contact.text, '')), ${sql.lit(maxEmailLength)}) end as address,
        case when contact.reason is null then ${variables(contactFields)} end as variables,
        case when contact.reason is null then coalesce(known.recipient_group, 'other') end as lane,
        case when contact.reason is null then ${tracking.isTracked} end as tracked, ${tracking.consent} as tracking_consent,
        case when contact.reason is null and known.is_fresh is not true then contact.domain end as unknown_domain${plan.startOfContact}
      from (
        select validated.*, case when reason is null then split_part(address, '@', 2) end as domain${plan.zoneOfContact}
        from (${selectValidated(organizationId, audience)}) validated
        union all
        ${fewAreMany(plan.noZone)}
      ) contact
      left join known on known.domain = contact.domain
      ${tracking.join}
      ${plan.joinZone}
    ),
    -- All that is counted, of one pass over the contacts.
    alike as materialized (
      select reason, lane, unknown_domain, count(*) as count, max(${sizeOfVariables(contactFields)}) as most_bytes
      from contact
      group by reason, lane, unknown_domain
    ),
    tally as (
      select reason, lane, sum(count)::bigint as count,
        greatest(1, least(${chunkSize}::bigint, ${chunkBytes}::bigint / max(most_bytes))) as chunk_size
      from alike
      group by reason, lane
    ),
    ${plan.lanes},
    written as (
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables, tracked, tracking_consent)
      select ${organizationId}::uuid, ${sendId}::uuid, seq, id, address, variables, tracked, tracking_consent
      from (${plan.numbered}) recipient
      returning ${hashAndSeq}
    ),
    by_contact as (${contactsOfWritten(organizationId, sendId)}),
    excluded as (
      insert into delivery_exclusions (organization_id, send_id, seq, contact_id, address, reason)
      select ${organizationId}::uuid, ${sendId}::uuid, row_number() over (), id, address, reason
      from contact
      where reason is not null
    ),
    chunks as (${chunksOfLanes(organizationId, sendId, plan.notBefore)}),
    unknown as (
      select unknown_domain from alike
      where unknown_domain is not null
      group by unknown_domain
      order by sum(count) desc
      limit ${maxUnknownDomains}
    )
    select
      (select coalesce(json_agg(json_build_object('reason', reason, 'count', count)), '[]')
        from (select reason, sum(count) as count from tally group by reason) by_reason) as tally,
      array(select unknown_domain from unknown) as "unknownDomains"
  `;
}

/**
 * Returns no rows, but PostgreSQL estimates many. It has no statistics for an organization added after the last ANALYZE and
 * estimates few contacts; it would then build the hash table of the join from all contacts with their data, mostly on disk.
 */
const fewAreMany = (more: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select null, null, null, null, null, null${more} from generate_series(1, 100000) where (select false)`;

/** The parts of the statement that depend on when messages start. */
interface StartPlan {
  before: RawBuilder<unknown>;
  zoneOfContact: RawBuilder<unknown>;
  noZone: RawBuilder<unknown>;
  joinZone: RawBuilder<unknown>;
  startOfContact: RawBuilder<unknown>;
  lanes: RawBuilder<unknown>;
  /** Selects the recipients with their seq. */
  numbered: RawBuilder<unknown>;
  notBefore: RawBuilder<unknown>;
}

const nothing = sql``;

/** All messages start at the same time: the contacts are numbered by lane only. */
const together = (starts: Starts | undefined): StartPlan => ({
  before: nothing,
  zoneOfContact: nothing,
  noZone: nothing,
  joinZone: nothing,
  startOfContact: nothing,
  lanes: sql`lanes as materialized (${lanesOfTally})`,
  numbered: sql.join(recipientGroups.map(numberedInLane), sql` union all `),
  notBefore: commonStart(starts),
});

/** The contacts of a zone are divided evenly over the steps of the spread, in the order in which PostgreSQL finds them. */
function apart(
  { zones, times }: Starts,
  audience: ValidatedAudience,
  { size, chunkSize }: { size: RawBuilder<number>; chunkSize: number },
): StartPlan {
  const steps = times[0]?.length ?? 1;
  return {
    before: sql`
    zone as materialized (
      select * from unnest(${zones.map(({ name }) => name)}::text[], ${zones.map(({ index }) => index)}::int[]) zone(name, index)
    ),
    start as materialized (
      select (position - 1) / ${steps}::int as index, (position - 1) % ${steps}::int as step, not_before
      from unnest(${times.flat()}::timestamptz[]) with ordinality start(not_before, position)
    ),`,
    zoneOfContact: sql`, ${timeZoneOf(audience, 'validated')} as time_zone`,
    noZone: sql`, null`,
    joinZone: sql`left join zone on zone.name = contact.time_zone`,
    startOfContact: sql`, coalesce(zone.index, 0) as start_index`,
    lanes: sql`placed as materialized (
      select recipient.id, recipient.address, recipient.variables, recipient.tracked, recipient.tracking_consent, recipient.lane,
        start.not_before
      from (
        select contact.*, (row_number() over same_start - 1) * ${steps}::int / count(*) over same_start as step
        from contact
        where reason is null
        window same_start as (partition by start_index rows between unbounded preceding and unbounded following)
      ) recipient
      join start on start.index = recipient.start_index and start.step = recipient.step
    ),
    lanes as materialized (
      select lane, not_before, count, chunk_size, (sum(count) over (order by lane, not_before nulls first) - count)::bigint as before
      from (
        select lane, not_before, count(*) as count,
          greatest(1, least(${chunkSize}::bigint, ${chunkBytes}::bigint / max(${size}))) as chunk_size
        from placed
        group by lane, not_before
      ) lane_at
    )`,
    numbered: sql`
      select row_number() over (order by lane, not_before nulls first) as seq, id, address, variables, tracked, tracking_consent
      from placed`,
    notBefore: sql`not_before`,
  };
}

/** Numbers the contacts of a lane after those of the lanes before it. A lane without contacts scans nothing. */
const numberedInLane = (lane: string): RawBuilder<unknown> => sql`
  select (select before from lanes where lane = ${lane}) + row_number() over () as seq, id, address, variables, tracked, tracking_consent
  from contact
  where lane = ${lane} and (select count from lanes where lane = ${lane}) > 0`;

/** `pg_column_size` is exact for a newly built object; a copied one may be compressed, so its text is measured. */
const sizeOfVariables = (contactFields: readonly string[] | null): RawBuilder<number> =>
  contactFields === null ? sql`octet_length(variables::text)` : sql`pg_column_size(variables)`;

/** PostgreSQL functions take at most 100 arguments. */
const fieldsPerObject = 50;

/** The fields of a contact that a message uses, over a row with `data`. */
export function variables(contactFields: readonly string[] | null): RawBuilder<unknown> {
  if (contactFields === null) return sql`data`;
  const objects = Array.from({ length: Math.ceil(contactFields.length / fieldsPerObject) }, (_, index) => {
    const fields = contactFields.slice(index * fieldsPerObject, (index + 1) * fieldsPerObject);
    return sql`jsonb_build_object(${sql.join(fields.flatMap((name) => [sql`${name}::text`, sql`data -> ${name}::text`]))})`;
  });
  return objects.length === 0 ? sql`'{}'::jsonb` : sql.join(objects, sql` || `);
}
