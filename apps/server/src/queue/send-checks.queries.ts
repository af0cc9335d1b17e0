import { sql } from 'kysely';
import { rowsOf, type Database, type Transaction } from '../platform/database/database.ts';
import type { SendKey } from './send-statements.ts';

/** Maximum rows per check; the next run finds the rest. */
const maxFound = 1_000;

/** Lists sends with work that no worker would find, because they are not due (`stuck_sends`). */
export const listStuckSends = (db: Database) => rowsOf<SendKey>(db)`
  select organization_id as "organizationId", send_id as "sendId" from stuck_sends(${maxFound})`;

/** Makes a send due. @returns false if it was due already, is paused, or has ended */
export async function makeDue(trx: Transaction, sendId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('touchpoint_sends')
    .set({ next_due_at: sql`now()` })
    .where('id', '=', sendId)
    .where('next_due_at', 'is', null)
    .where('end_date', 'is', null)
    .where('status', '<>', 'paused')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A send whose counters do not match its rows. */
export interface UnbalancedSend extends SendKey {
  counters: Record<string, number>;
  rows: Record<string, number>;
}

/** Checks the sends that ended in the last 15 minutes. */
export const listUnbalancedSends = (db: Database) => rowsOf<UnbalancedSend>(db)`
  select organization_id as "organizationId", send_id as "sendId", counters, counted as rows
  from unbalanced_sends(interval '15 minutes', ${maxFound})`;
