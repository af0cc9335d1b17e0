import { sql, type RawBuilder } from 'kysely';

/**
 * Ends the `where` clause of a single-item lookup, after its organization and collection; the caller adds `limit 1`. Only
 * the primary key's index has this order. PostgreSQL has no statistics for an organization created after the last analyze,
 * and for `id = …` it chose the index on dates, which probes for the id at every date that occurs.
 */
export const withId = (column: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${column} between ${id} and ${id} order by ${column}`;
