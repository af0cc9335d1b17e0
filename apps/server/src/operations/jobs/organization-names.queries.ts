import { rowsOf, type Transaction } from '../../platform/database/database.ts';

/** @returns organization names by id, for operators, who are not members of the organizations */
export async function listOrganizationNames(
  trx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsOf<{ id: string; name: string }>(trx)`
    select id, name from organization_names(${[...new Set(ids)]}::uuid[])
  `;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
