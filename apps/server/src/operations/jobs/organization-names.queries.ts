import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

/** @returns organization names by id, for operators, who are not members of the organizations */
export async function listOrganizationNames(
  trx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from organization_names(${[...new Set(ids)]}::uuid[])
  `.execute(trx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
