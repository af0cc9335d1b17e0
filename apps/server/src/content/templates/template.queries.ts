import { sql } from 'kysely';
import type { Owner } from '@reachout/contract/rules/owners.ts';
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

/** Clients and brands whose templates are hidden with them. A filter rule takes 10,000 values of a list. */
const maxDeleted = 5_000;

/** Those that are deleted, and brands of deleted clients count as theirs. */
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
 * Whether a template is within the access scope by its owner, as the policy of its table has it for what is written, and not only
 * because an email there uses it.
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
