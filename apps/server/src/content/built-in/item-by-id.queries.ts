import { sql, type RawBuilder } from 'kysely';

/**
 * End of the condition of a look-up of one item, behind its organization and collection; `limit 1` follows. Only the index of the key has
 * this order. Of an organization that came after its last analyze PostgreSQL knows nothing, and for an equal id it took the index
 * of dates, which looks for it at each date that items have.
 */
export const withId = (column: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${column} between ${id} and ${id} order by ${column}`;
