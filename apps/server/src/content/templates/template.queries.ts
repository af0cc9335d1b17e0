import type { Transaction } from '../../platform/database/database.ts';

/** Whether an email uses the template. Deleted emails, and those of deleted records, do not count. */
export async function isUsedByEmail(trx: Transaction, organizationId: string, id: string): Promise<boolean> {
  const used = await trx
    .selectFrom('touchpoint_emails as e')
    .innerJoin('current_touchpoints as t', (join) =>
      join.onRef('t.organization_id', '=', 'e.organization_id').onRef('t.id', '=', 'e.touchpoint_id'),
    )
    .select('e.touchpoint_id')
    .where('e.organization_id', '=', organizationId)
    .where('e.template_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return used !== undefined;
}
