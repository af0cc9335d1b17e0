import { sql, type RawBuilder } from 'kysely';
import { wellKnownDomains } from '../../email/recipient-groups/recipient-group.ts';
import { insertContactDeliveries } from './contact-deliveries-sql.ts';

// Pieces of the statements that write the audience snapshot: of a rule (`audience-snapshot.queries.ts`), or of what failed
// in another send (`follow-up-snapshot.queries.ts`).

export interface SnapshotTarget {
  sendId: string;
  /** The fields of a contact that the message uses; null: all. */
  contactFields: readonly string[] | null;
  /** Messages of one chunk of work, at most: a chunk has fewer where contacts are large. */
  chunkSize: number;
}

/**
 * Bytes that a worker reads for one chunk at most. It holds several chunks of several organizations, and without memory
 * it would send nothing for any of them.
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

/** How many contacts a lane has, and how many those before it. */
export const lanesOfTally = sql`
  select lane, count, chunk_size, (sum(count) over (order by lane) - count)::bigint as before
  from tally
  where reason is null`;

export const chunksOfLanes = (organizationId: string, sendId: string): RawBuilder<unknown> => sql`
  insert into delivery_chunks (organization_id, send_id, lane, first_seq, last_seq, marked_up_to)
  select ${organizationId}::uuid, ${sendId}::uuid, lane, first_seq, least(first_seq + chunk_size - 1, before + count), first_seq - 1
  from lanes, generate_series(before + 1, before + count, chunk_size) first_seq`;

/** Of what the statement has `written`, by contact. */
export const contactsOfWritten = (organizationId: string, sendId: string): RawBuilder<unknown> =>
  insertContactDeliveries(organizationId, sendId, {
    source: sql`written`,
    count: sql`(select sum(count) from lanes)`,
  });
