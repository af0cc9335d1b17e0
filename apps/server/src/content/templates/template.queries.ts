import type { Transaction } from '../../platform/database/database.ts';

/** Maximum deleted clients and brands (each) whose templates are hidden. A filter rule allows 10,000 list values. */
const maxDeleted = 5_000;

/** Finds deleted clients and brands. Brands of deleted clients are covered by their client. */
export async function findDeletedOwners(
  trx: Transaction,
): Promise<{ clientIds: string[]; brandIds: string[] }> {
  const idsOf = async (table: 'clients' | 'brands') => {
    const rows = await trx
      .selectFrom(table)
      .select('id')
      .where('deleted', '=', true)
      .orderBy('deleted_at', 'desc')
      .limit(maxDeleted)
      .execute();
    return rows.map(({ id }) => id);
  };
  return { clientIds: await idsOf('clients'), brandIds: await idsOf('brands') };
}
