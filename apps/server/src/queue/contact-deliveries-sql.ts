import { sql, type RawBuilder } from 'kysely';

// `contact_deliveries` finds the deliveries of a contact in a send. A row holds the hashes of about a hundred contacts and
// the seqs of their deliveries: a lookup reads one row per send by its key, and the audience snapshot writes a hundredth
// of the entries that an index would need. Single messages are found by `messages.contact_id`.

/** Maximum average number of contacts that share a row. */
const contactsPerRow = 128;

/** 31 bits, so that hashes are never negative, and the highest of a row is the greatest number. */
const hashOf = (contactId: RawBuilder<unknown>) => sql`(hashtext(${contactId}) & 2147483647)`;
/** The columns taken from `deliveries`: hash and seq. */
export const hashAndSeq = sql`${hashOf(sql`contact_id`)} as hash, seq`;

/**
 * Adds the deliveries of a new send. They are sorted by target row, so that memory use does not grow with their number.
 * @param source  a table expression with `hashAndSeq` of all deliveries of the send
 * @param count  number of these deliveries
 */
export const insertContactDeliveries = (
  organizationId: string,
  sendId: string,
  { source, count }: { source: RawBuilder<unknown>; count: RawBuilder<unknown> },
): RawBuilder<unknown> => sql`
  insert into contact_deliveries (organization_id, send_id, last_hash, hashes, seqs)
  select ${organizationId}::uuid, ${sendId}::uuid, last_hash, array_agg(hash), array_agg(seq)
  from (
    select hash | (select 2147483647 >> greatest(0, ceil(log(2, greatest(1, ${count}::numeric) / ${contactsPerRow})))::int) as last_hash, hash, seq
    from ${source}
    order by 1
  ) sorted
  group by last_hash`;

/**
 * Selects the deliveries of one contact in the given sends: send_id, send_date and seq.
 * @param sends  a table expression with id and send_date
 */
export const deliveriesOfContact = (
  organizationId: string,
  contactId: string,
  sends: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select s.id as send_id, s.send_date, d.seq
  from ${sends} s
  cross join lateral (
    select hashes, seqs from contact_deliveries
    where organization_id = ${organizationId} and send_id = s.id and last_hash >= ${hashOf(sql`${contactId}::text`)}
    order by last_hash
    limit 1
  ) of_hash
  cross join lateral unnest(array_positions(of_hash.hashes, ${hashOf(sql`${contactId}::text`)})) place
  cross join lateral (
    select seq from deliveries
    where organization_id = ${organizationId} and send_id = s.id and seq = of_hash.seqs[place] and contact_id = ${contactId}
    limit 1
  ) d`;
