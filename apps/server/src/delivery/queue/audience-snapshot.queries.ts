import { sql, type RawBuilder } from 'kysely';
import { maxEmailLength } from '@reachout/contract/rules/addresses.ts';
import {
  domainOf,
  selectContacts,
  selectValidated,
  type ValidatedAudience,
  type AudienceTally,
} from '../../content/audiences/audience-sql.ts';
import { recipientGroups, wellKnownDomains } from '../../email/recipient-groups/recipient-group.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface SnapshotTarget {
  sendId: string;
  /** The fields of a contact that the message uses; null: all. */
  contactFields: readonly string[] | null;
  /** Messages of one chunk of work, at most: a chunk has fewer where contacts are large. */
  chunkSize: number;
}

/** What a snapshot says of the domains that it cannot place; the most frequent ones come first. */
const maxUnknownDomains = 1_000;

export interface StoredSnapshot {
  tally: AudienceTally;
  /** Domains of recipients whose group is unknown, or was looked up more than 24 hours ago. */
  unknownDomains: string[];
}

/**
 * Writes the audience into `deliveries` and `delivery_exclusions`, and cuts it into `delivery_chunks`, on the server and
 * in one statement: the numbers are exactly those of what was written. `seq` goes lane by lane, so that a chunk has one
 * lane, and within a lane it follows the order in which PostgreSQL finds the contacts: sorting a million contacts costs as
 * much as writing them, so each lane that occurs reads what was found once more instead.
 */
export async function insertSnapshot(
  trx: Transaction,
  organizationId: string,
  audience: ValidatedAudience,
  { sendId, contactFields, chunkSize }: SnapshotTarget,
): Promise<StoredSnapshot> {
  const { rows } = await sql<StoredSnapshot>`
    with known as materialized (${knownDomains}),
    contact as materialized (
      select contact.id, contact.reason,
        case when contact.reason is null then contact.address
          else left(coalesce(contact.address, nullif(contact.text, '')), ${sql.lit(maxEmailLength)}) end as address,
        case when contact.reason is null then ${variables(contactFields)} end as variables,
        case when contact.reason is null then coalesce(known.recipient_group, 'other') end as lane,
        case when contact.reason is null and known.is_fresh is not true then contact.domain end as unknown_domain
      from (
        select validated.*, case when reason is null then ${domainOf(sql`address`)} end as domain
        from (${selectValidated(organizationId, audience)}) validated
      ) contact
      left join known on known.domain = contact.domain
    ),
    tally as (
      select reason, lane, count(*) as count,
        greatest(1, least(${chunkSize}::bigint, ${chunkBytes}::bigint / max(${sizeOfVariables(contactFields)}))) as chunk_size
      from contact
      group by reason, lane
    ),
    lanes as materialized (${lanesOfTally}),
    written as (
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      select ${organizationId}::uuid, ${sendId}::uuid, seq, id, address, variables
      from (${sql.join(recipientGroups.map(numberedInLane), sql` union all `)}) recipient
    ),
    excluded as (
      insert into delivery_exclusions (organization_id, send_id, seq, contact_id, address, reason)
      select ${organizationId}::uuid, ${sendId}::uuid, row_number() over (), id, address, reason
      from contact
      where reason is not null
    ),
    chunks as (${chunksOfLanes(organizationId, sendId)}),
    unknown as (
      select unknown_domain from contact
      where unknown_domain is not null
      group by unknown_domain
      order by count(*) desc
      limit ${maxUnknownDomains}
    )
    select
      (select coalesce(json_agg(json_build_object('reason', reason, 'count', count)), '[]')
        from (select reason, sum(count) as count from tally group by reason) by_reason) as tally,
      array(select unknown_domain from unknown) as "unknownDomains"
  `.execute(trx);
  return rows[0]!;
}

const wellKnown = {
  domains: [...wellKnownDomains.keys()],
  groups: [...wellKnownDomains.values()],
};

const knownDomains = sql`
  select domain, recipient_group, true as is_fresh
  from unnest(${wellKnown.domains}::text[], ${wellKnown.groups}::text[]) well_known(domain, recipient_group)
  union all
  select domain, recipient_group, looked_up_at > now() - interval '24 hours' from recipient_domains
  where recipient_group is not null and domain <> all(${wellKnown.domains}::text[])`;

/** How many contacts a lane has, and how many those before it. */
const lanesOfTally = sql`
  select lane, count, chunk_size, (sum(count) over (order by lane) - count)::bigint as before
  from tally
  where reason is null`;

const chunksOfLanes = (organizationId: string, sendId: string): RawBuilder<unknown> => sql`
  insert into delivery_chunks (organization_id, send_id, lane, first_seq, last_seq, marked_up_to)
  select ${organizationId}::uuid, ${sendId}::uuid, lane, first_seq, least(first_seq + chunk_size - 1, before + count), first_seq - 1
  from lanes, generate_series(before + 1, before + count, chunk_size) first_seq`;

/** The contacts of a lane behind those of the lanes before it. A lane without contacts reads nothing. */
const numberedInLane = (lane: string): RawBuilder<unknown> => sql`
  select (select before from lanes where lane = ${lane}) + row_number() over () as seq, id, address, variables
  from contact
  where lane = ${lane} and (select count from lanes where lane = ${lane}) > 0`;

/**
 * The same for those whose delivery failed in another send, with the fields that they had there. Contacts that are deleted or
 * have another address by now are left out, and those that are unsubscribed by now are exclusions.
 * @param contacts  all of the collection of the other send
 */
export async function insertFailed(
  trx: Transaction,
  organizationId: string,
  { parentId, contacts }: { parentId: string; contacts: ValidatedAudience },
  { sendId, chunkSize }: Pick<SnapshotTarget, 'sendId' | 'chunkSize'>,
): Promise<AudienceTally> {
  const { rows } = await sql<AudienceTally[number]>`
    with known as materialized (${knownDomains}),
    current as materialized (${selectContacts(organizationId, contacts)}),
    unsubscribed as materialized (select id, address_key from current where unsubscribed),
    contact as materialized (
      select d.seq, d.contact_id, d.address, d.variables, coalesce(known.recipient_group, 'other') as lane,
        case when d.contact_id in (select id from unsubscribed)
          or lower(d.address) in (select address_key from unsubscribed) then 'unsubscribed' end as reason
      from delivery_results r
      join deliveries d on d.organization_id = r.organization_id and d.send_id = r.send_id and d.seq = r.seq
      left join known on known.domain = ${domainOf(sql`d.address`)}
      where r.organization_id = ${organizationId} and r.send_id = ${parentId} and r.state = 'failed'
        and exists (select from current where current.id = d.contact_id and current.address_key = lower(d.address))
    ),
    tally as (
      select reason, lane, count(*) as count,
        greatest(1, least(${chunkSize}::bigint, ${chunkBytes}::bigint / max(octet_length(variables::text)))) as chunk_size
      from contact
      group by reason, lane
    ),
    lanes as materialized (${lanesOfTally}),
    written as (
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      select ${organizationId}::uuid, ${sendId}::uuid, row_number() over (order by lane, seq), contact_id, address, variables
      from contact
      where reason is null
    ),
    excluded as (
      insert into delivery_exclusions (organization_id, send_id, seq, contact_id, address, reason)
      select ${organizationId}::uuid, ${sendId}::uuid, row_number() over (order by seq), contact_id, address, reason
      from contact
      where reason is not null
    ),
    chunks as (${chunksOfLanes(organizationId, sendId)})
    select reason, sum(count)::int as count from tally group by reason
  `.execute(trx);
  return rows;
}

/**
 * Bytes that a worker reads for one chunk at most. It holds several chunks of several organizations, and without memory
 * it would send nothing for any of them.
 */
const chunkBytes = 4_000_000;

/** A new object has its full size; a copied one may be compressed, and is written out to be measured. */
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
