import { sql, type RawBuilder } from 'kysely';

/** How long what was deleted can be restored; afterwards it is as if it were gone (product: "trash for 30 days"). */
const restorableDays = 30;

/** Condition of a statement over a table with `deleted_at`: it can still be restored. */
export const isRestorable = sql<boolean>`deleted_at > now() - make_interval(days => ${sql.lit(restorableDays)})`;

/** Until when something can be restored. */
export const restorableUntil = (deletedAt: string): RawBuilder<string> =>
  sql<string>`${sql.ref(deletedAt)} + make_interval(days => ${sql.lit(restorableDays)})`;
