import { sql, type RawBuilder } from 'kysely';
import { wellKnownDomains } from '../email/recipient-groups/recipient-group.ts';
import { insertContactDeliveries } from './contact-deliveries-sql.ts';

// Parts of the statements that write the audience snapshot, from a filter rule (`audience-snapshot.queries.ts`) or from the
// failed deliveries of another send (`follow-up-snapshot.queries.ts`).

export interface SnapshotTarget {
  sendId: string;
  /** Contact fields that the message uses; null: all fields. */
  contactFields: readonly string[] | null;
  /** Maximum messages per chunk; a chunk has fewer if contacts are large. */
  chunkSize: number;
}

/**
 * Maximum bytes that a worker reads for one chunk. It holds chunks of several organizations, and running out of memory would
 * stop the sends of all of them.
 */
export const chunkBytes = 4_000_000;

const wellKnown = {
  domains: [...wellKnownDomains.keys()],
  groups: [...wellKnownDomains.values()],
};

export const knownDomains = sql`
  select domain, recipient_group, true as is_fresh
  from unnest(${wellKnown.domains}::text[], ${wellKnown.groups}::text[]) well_known(domain, recipient_group)
  union all
  select domain, recipient_group, looked_up_at > now() - interval '24 hours' from recipient_domains
  where recipient_group is not null and domain <> all(${wellKnown.domains}::text[])`;

/** The number of contacts of each lane, and of all lanes before it. */
export const lanesOfTally = sql`
  select lane, count, chunk_size, (sum(count) over (order by lane) - count)::bigint as before
  from tally
  where reason is null`;

export const chunksOfLanes = (organizationId: string, sendId: string): RawBuilder<unknown> => sql`
  insert into delivery_chunks (organization_id, send_id, lane, first_seq, last_seq, marked_up_to)
  select ${organizationId}::uuid, ${sendId}::uuid, lane, first_seq, least(first_seq + chunk_size - 1, before + count), first_seq - 1
  from lanes, generate_series(before + 1, before + count, chunk_size) first_seq`;

/** Inserts `contact_deliveries` for the statement's `written` rows. */
export const contactsOfWritten = (organizationId: string, sendId: string): RawBuilder<unknown> =>
  insertContactDeliveries(organizationId, sendId, {
    source: sql`written`,
    count: sql`(select sum(count) from lanes)`,
  });
