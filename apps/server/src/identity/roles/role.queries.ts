import { sql } from 'kysely';
import type { AbilityRule } from '@reachout/contract/abilities.ts';
import type { RolePermission } from '@reachout/contract/roles.ts';
import { valuesOf, type NewRow, type Transaction } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/list-page.ts';
import { satisfies } from '../../platform/database/satisfies.ts';

export interface CustomRole {
  role: string;
  name: string;
  /** As stored; an empty list means read-only (`rulesFor`). */
  rules: AbilityRule[];
}

/** The organization's custom roles, by name. */
export async function listCustomRoles(trx: Transaction): Promise<CustomRole[]> {
  const roles = await trx
    .selectFrom('organization_roles')
    .select(['role', 'name'])
    .orderBy(sql`lower(name)`)
    .execute();
  const rules = await selectRules(trx).execute();
  return roles.map(({ role, name }) => ({
    role,
    name,
    rules: rules.filter((rule) => rule.role === role).map(toRule),
  }));
}

/**
 * @param lock  `share` prevents changes to the role until the transaction ends, for assigning it; `update` also
 *   prevents assignments meanwhile, for changing it
 */
export async function findCustomRole(
  trx: Transaction,
  role: string,
  lock?: 'share' | 'update',
): Promise<CustomRole | undefined> {
  const query = trx.selectFrom('organization_roles').select(['role', 'name']).where('role', '=', role);
  const found = await query
    .$if(lock === 'share', (locked) => locked.forShare())
    .$if(lock === 'update', (locked) => locked.forUpdate())
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const rules = await selectRules(trx).where('role', '=', role).execute();
  return { ...found, rules: rules.map(toRule) };
}

const selectRules = (trx: Transaction) =>
  trx
    .selectFrom('role_permissions')
    .select(['role', 'action', 'subject', 'conditions', 'inverted'])
    .orderBy('position');

const toRule = (row: { action: string; subject: string; conditions: unknown; inverted: boolean }) =>
  ({
    action: row.action,
    subject: row.subject,
    ...(row.conditions === null ? {} : { conditions: row.conditions }),
    ...(row.inverted ? { inverted: true } : {}),
  }) as AbilityRule;

export async function countMembersByRole(trx: Transaction, role?: string): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('organization_users')
    .$if(role !== undefined, (query) => query.where('role', '=', role!))
    .select(({ fn }) => ['role', fn.countAll<number>().as('count')])
    .groupBy('role')
    .execute();
  return new Map(rows.map((row) => [row.role, row.count]));
}

export const countCustomRoles = (trx: Transaction): Promise<number> =>
  countRows(trx.selectFrom('organization_roles'));

/** Whether a member or a pending invitation has the role. */
export async function isRoleInUse(trx: Transaction, role: string): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from organization_users where role = ${role})
      or exists (select from organization_invitations where role = ${role} and status = 'pending') as used
  `.execute(trx);
  return rows[0]?.used ?? false;
}

export async function isRoleNameTaken(trx: Transaction, name: string): Promise<boolean> {
  const row = await trx
    .selectFrom('organization_roles')
    .select('role')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns false if another role already has this key */
export async function insertRole(trx: Transaction, row: NewRow<'organization_roles'>): Promise<boolean> {
  const result = await trx
    .insertInto('organization_roles')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** @returns false if another role has this name already; the transaction is aborted then */
export const updateRoleName = (trx: Transaction, role: string, name: string): Promise<boolean> =>
  satisfies(
    'organization_roles_name_taken',
    trx
      .updateTable('organization_roles')
      .set({ name, updated_at: sql`now()` })
      .where('role', '=', role)
      .execute(),
  );

export async function replaceRules(
  trx: Transaction,
  { organization_id, role }: { organization_id: string; role: string },
  rules: readonly RolePermission[],
): Promise<void> {
  await trx.deleteFrom('role_permissions').where('role', '=', role).execute();
  if (rules.length === 0) return;
  await trx
    .insertInto('role_permissions')
    .values(
      rules.map(({ action, subject, conditions, inverted }, position) => ({
        organization_id,
        role,
        position,
        action,
        subject,
        conditions: conditions === null ? null : JSON.stringify(conditions),
        inverted,
      })),
    )
    .execute();
  await trx
    .updateTable('organization_roles')
    .set({ updated_at: sql`now()` })
    .where('role', '=', role)
    .execute();
}

export async function deleteRole(trx: Transaction, role: string): Promise<void> {
  await trx.deleteFrom('organization_roles').where('role', '=', role).execute();
}

/** The given ids that are not clients or brands of the organization. */
export const listUnknownIds = (
  trx: Transaction,
  { client_ids, brand_ids }: { client_ids: readonly string[]; brand_ids: readonly string[] },
) => valuesOf<string>(trx)`
  select id from unnest(${client_ids}::uuid[]) as given (id)
  where not exists (select from clients c where c.id = given.id and not c.deleted)
  union all
  select id from unnest(${brand_ids}::uuid[]) as given (id)
  where not exists (select from brands b where b.id = given.id and not b.deleted)
`;
