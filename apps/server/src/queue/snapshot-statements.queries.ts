import { sql, type RawBuilder } from 'kysely';
import { wellKnownDomains } from '../email/recipient-groups/recipient-group.ts';
import { insertContactDeliveries } from './contact-deliveries-sql.ts';

// Parts of the statements that write the audience snapshot, from a filter rule (`audience-snapshot.queries.ts`) or from the
// failed deliveries of another send (`follow-up-snapshot.queries.ts`).

/** When the messages of a send may start. */
export interface Starts {
  /** For the time zones of contacts, in lower case, the index of their list in `times`. */
  zones: readonly { name: string; index: number }[];
  /**
   * Lists of one time for each step of a spread, in order; all have the same length. ISO 8601; null: at once. The first is that
   * of contacts without one of the zones.
   */
  times: readonly (readonly (string | null)[])[];
}

/** Whether all messages may start at the same time, so that nothing about a contact matters. */
export const areAlike = ({ times }: Starts): boolean => times.length === 1 && times[0]?.length === 1;

export interface SnapshotTarget {
  sendId: string;
  /** Contact fields that the message uses; null: all fields. */
  contactFields: readonly string[] | null;
  /** Maximum messages per chunk; a chunk has fewer if contacts are large. */
  chunkSize: number;
  /** Undefined: all at once. */
  starts?: Starts | undefined;
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

/** @param notBefore  the time of each chunk, over the rows of `lanes` */
export const chunksOfLanes = (
  organizationId: string,
  sendId: string,
  notBefore: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into delivery_chunks (organization_id, send_id, lane, first_seq, last_seq, marked_up_to, not_before)
  select ${organizationId}::uuid, ${sendId}::uuid, lane, first_seq, least(first_seq + chunk_size - 1, before + count),
    first_seq - 1, ${notBefore}
  from lanes, generate_series(before + 1, before + count, chunk_size) first_seq`;

/** The time of all chunks, if it is the same for all. */
export const commonStart = (starts: Starts | undefined): RawBuilder<unknown> =>
  sql`${starts?.times[0]?.[0] ?? null}::timestamptz`;

/** Inserts `contact_deliveries` for the statement's `written` rows. */
export const contactsOfWritten = (organizationId: string, sendId: string): RawBuilder<unknown> =>
  insertContactDeliveries(organizationId, sendId, {
    source: sql`written`,
    count: sql`(select sum(count) from lanes)`,
  });
