import type { Transaction } from '../../../platform/database/database.ts';

export async function insertTouchpointWebsite(
  trx: Transaction,
  row: { id: string; organization_id: string; touchpoint_id: string; token: string },
): Promise<void> {
  await trx.insertInto('touchpoint_websites').values(row).execute();
}
