import { sql, type RawBuilder } from 'kysely';
import { maxEmailLength } from '@reachout/contract/rules/addresses.ts';
import {
  selectContacts,
  selectValidated,
  type ValidatedAudience,
  type AudienceTally,
} from '../../content/audiences/audience-sql.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface SnapshotTarget {
  sendId: string;
  /** The fields of a contact that the message uses; null: all. */
  contactFields: readonly string[] | null;
  /** Messages of one chunk of work, at most: a chunk has fewer where contacts are large. */
  chunkSize: number;
}

/**
 * Writes the audience into `deliveries` and `delivery_exclusions`, and cuts it into `delivery_chunks`, on the server and
 * in one statement: the numbers are exactly those of what was written. `seq` follows the order in which PostgreSQL finds the contacts: sorting
 * a million contacts by id costs as much as writing them, and nothing depends on it.
 */
export async function insertSnapshot(
  trx: Transaction,
  organizationId: string,
  audience: ValidatedAudience,
  { sendId, contactFields, chunkSize }: SnapshotTarget,
): Promise<AudienceTally> {
  const { rows } = await sql<AudienceTally[number]>`
    with contact as materialized (
      select id, reason,
        case when reason is null then address else left(coalesce(address, nullif(text, '')), ${sql.lit(maxEmailLength)}) end as address,
        case when reason is null then ${variables(contactFields)} end as variables
      from (${selectValidated(organizationId, audience)}) contact
    ),
    tally as (
      select reason, count(*) as count,
        greatest(1, least(${chunkSize}::bigint, ${chunkBytes}::bigint / max(${sizeOfVariables(contactFields)}))) as chunk_size
      from contact
      group by reason
    ),
    written as (
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      select ${organizationId}::uuid, ${sendId}::uuid, row_number() over (), id, address, variables
      from contact
      where reason is null
    ),
    excluded as (
      insert into delivery_exclusions (organization_id, send_id, seq, contact_id, address, reason)
      select ${organizationId}::uuid, ${sendId}::uuid, row_number() over (), id, address, reason
      from contact
      where reason is not null
    ),
    chunks as (
      insert into delivery_chunks (organization_id, send_id, first_seq, last_seq, marked_up_to)
      select ${organizationId}::uuid, ${sendId}::uuid, first_seq, least(first_seq + tally.chunk_size - 1, tally.count), first_seq - 1
      from tally, generate_series(1, tally.count, tally.chunk_size) first_seq
      where tally.reason is null
    )
    select reason, count from tally
  `.execute(trx);
  return rows;
}

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
    with current as materialized (${selectContacts(organizationId, contacts)}),
    unsubscribed as materialized (select id, address_key from current where unsubscribed),
    contact as materialized (
      select contact_id, address, variables, reason, row_number() over (partition by reason order by seq) as seq
      from (
        select d.seq, d.contact_id, d.address, d.variables,
          case when d.contact_id in (select id from unsubscribed)
            or lower(d.address) in (select address_key from unsubscribed) then 'unsubscribed' end as reason
        from delivery_results r
        join deliveries d on d.organization_id = r.organization_id and d.send_id = r.send_id and d.seq = r.seq
        where r.organization_id = ${organizationId} and r.send_id = ${parentId} and r.state = 'failed'
          and exists (select from current where current.id = d.contact_id and current.address_key = lower(d.address))
      ) failed
    ),
    tally as (
      select reason, count(*) as count,
        greatest(1, least(${chunkSize}::bigint, ${chunkBytes}::bigint / max(octet_length(variables::text)))) as chunk_size
      from contact
      group by reason
    ),
    written as (
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      select ${organizationId}::uuid, ${sendId}::uuid, seq, contact_id, address, variables from contact where reason is null
    ),
    excluded as (
      insert into delivery_exclusions (organization_id, send_id, seq, contact_id, address, reason)
      select ${organizationId}::uuid, ${sendId}::uuid, seq, contact_id, address, reason from contact where reason is not null
    ),
    chunks as (
      insert into delivery_chunks (organization_id, send_id, first_seq, last_seq, marked_up_to)
      select ${organizationId}::uuid, ${sendId}::uuid, first_seq, least(first_seq + tally.chunk_size - 1, tally.count), first_seq - 1
      from tally, generate_series(1, tally.count, tally.chunk_size) first_seq
      where tally.reason is null
    )
    select reason, count from tally
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
