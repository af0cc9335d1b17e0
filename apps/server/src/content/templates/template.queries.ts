import { sql } from 'kysely';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** Whether an email uses the template. Ignores emails that are deleted or belong to a deleted record. */
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

/**
 * Whether a template is within the access scope by its owner, as in the table's write policy, and not only because an email
 * in the scope uses it.
 */
export async function isOwnerInScope(trx: Transaction, { client_id, brand_id }: Owner): Promise<boolean> {
  const { rows } = await sql<{ is_in_scope: boolean }>`
    select has_full_access_scope() or case
      when ${client_id}::uuid is null then current_organization_id() = any (access_scope_template_organization_ids())
      else ${client_id}::uuid = any (access_scope_client_ids()) or ${brand_id}::uuid = any (access_scope_brands())
    end as is_in_scope
  `.execute(trx);
  return rows[0]?.is_in_scope === true;
}
