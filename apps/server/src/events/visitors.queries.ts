import { sql } from 'kysely';
import type { ErasedBinding } from '../contacts/people/erase-contact.ts';
import { execute, rowsOf, type Database, type Transaction } from '../platform/database/database.ts';

/** Waits for a fold that is running, and blocks others until the transaction ends: both change the same rows. */
export const lockOutFolds = (trx: Transaction) =>
  execute(trx)`select pg_advisory_xact_lock(hashtext('reachout visitors'))`;

/** A website with rows of visitors that its organization keeps no longer. */
export interface OldVisits {
  organization_id: string;
  touchpoint_id: string;
  /** The first time that is kept: a midnight in UTC. */
  kept_from: string;
}

export const listOldVisits = (db: Database, limit: number) =>
  rowsOf<OldVisits>(db)`select * from old_visits(${limit})`;

/** Deletes at most `limit` rows of each table. @returns the most that were deleted of one table */
export async function deleteOldVisits(
  trx: Transaction,
  { organization_id, touchpoint_id, kept_from }: OldVisits,
  limit: number,
): Promise<number> {
  const ofWebsite = sql`organization_id = ${organization_id} and touchpoint_id = ${touchpoint_id}`;
  const { rows } = await sql<{ most: number }>`
    with old_events as (
      delete from visitor_events
      where (at, id) in (select at, id from visitor_events where ${ofWebsite} and at < ${kept_from} order by at limit ${limit})
        and ${ofWebsite} and at < ${kept_from}
      returning 1
    ), old_sessions as (
      delete from visitor_sessions where ctid = any (array(
        select ctid from visitor_sessions
        where ${ofWebsite} and started_at < ${kept_from} and events > 0 limit ${limit}
      )) and ${ofWebsite}
      returning 1
    ), old_drops as (
      delete from website_drops where ${ofWebsite} and day < (${kept_from}::timestamptz at time zone 'UTC')::date
    )
    select greatest((select count(*) from old_events), (select count(*) from old_sessions))::integer as most
  `.execute(trx);
  return rows[0]?.most ?? 0;
}

/**
 * Erases what pages said about a visitor, in the sessions from one time until another.
 * @returns the number of events that had something, at most `limit`
 */
export async function eraseHintsOf(
  trx: Transaction,
  organizationId: string,
  { touchpoint_id, visitor_id, bound_at, bound_until }: ErasedBinding,
  limit: number,
): Promise<number> {
  const isOf = (row: string) => sql`${sql.ref(`${row}.organization_id`)} = ${organizationId}
    and ${sql.ref(`${row}.touchpoint_id`)} = ${touchpoint_id} and ${sql.ref(`${row}.visitor_id`)} = ${visitor_id}`;
  const until = sql`coalesce(${bound_until}::timestamptz, 'infinity')`;
  const { numAffectedRows } = await sql`
    update visitor_events e set user_id = null, collection = null
    from (
      select e.at, e.id
      from visitor_sessions s
      join visitor_events e on ${isOf('e')} and e.at between s.started_at and s.ended_at
        and (e.user_id is not null or e.collection is not null)
      where ${isOf('s')} and s.ended_at >= ${bound_at}::timestamptz and s.started_at < ${until}
      limit ${limit}
    ) told
    where ${isOf('e')} and e.at = told.at and e.id = told.id
  `.execute(trx);
  await sql`
    update unfolded_visitor_events u set user_id = null, collection = null
    where ${isOf('u')} and u.at >= ${bound_at}::timestamptz and u.at < ${until}
  `.execute(trx);
  return Number(numAffectedRows);
}
