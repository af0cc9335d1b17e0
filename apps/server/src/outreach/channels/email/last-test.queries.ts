import type { Transaction } from '../../../platform/database/database.ts';

/** @returns undefined if none was sent */
export async function findLastTestTime(
  trx: Transaction,
  organizationId: string,
  touchpointId: string,
): Promise<string | undefined> {
  const last = await trx
    .selectFrom('touchpoint_sends')
    .select('created_at')
    .where('organization_id', '=', organizationId)
    .where('touchpoint_id', '=', touchpointId)
    .where('kind', '=', 'test')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.created_at;
}
