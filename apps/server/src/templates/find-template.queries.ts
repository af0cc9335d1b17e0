import type { Transaction } from '../platform/database/database.ts';

export async function findTemplateItem(
  trx: Transaction,
  organizationId: string,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const item = await trx
    .selectFrom('content_items')
    .select('data')
    .where('organization_id', '=', organizationId)
    .where('collection', '=', 'reachout_templates')
    .where('id', '=', id)
    .executeTakeFirst();
  return item?.data as Record<string, unknown> | undefined;
}
