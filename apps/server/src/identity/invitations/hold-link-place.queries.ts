import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

/**
 * Holds one of the places of an invitation link for a new account that joins by it.
 * @returns false if there is none left
 */
export async function holdLinkPlace(
  trx: Transaction,
  linkHashes: readonly string[],
  userId: string,
): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean;
  }>`select hold_link_place(${linkHashes}, ${userId}) as held`.execute(trx);
  return rows[0]?.held === true;
}
