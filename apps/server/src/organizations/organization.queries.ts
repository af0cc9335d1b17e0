import { sql } from 'kysely';
import type { OrganizationStatus } from '@reachout/contract/statuses.ts';
import { notFound } from '../platform/call-error.ts';
import type { Transaction } from '../platform/database/database.ts';

interface OrganizationRow {
  id: string;
  name: string;
  logo_url: string | null;
  status: OrganizationStatus;
  created_at: string;
}

/** Of the acting user, by name; without deleted and inactive ones (specification section 6). */
export async function listMyOrganizations(trx: Transaction): Promise<(OrganizationRow & { role: string })[]> {
  const { rows } = await sql<OrganizationRow & { role: string }>`
    select id, name, logo_url, status, role, created_at from my_organizations()
  `.execute(trx);
  return rows;
}

/** @throws 404 */
export const getOrganization = (trx: Transaction, id: string): Promise<OrganizationRow> =>
  trx
    .selectFrom('organizations')
    .select(['id', 'name', 'logo_url', 'status', 'created_at'])
    .where('id', '=', id)
    .where('deleted', '=', false)
    .$castTo<OrganizationRow>()
    .executeTakeFirstOrThrow(notFound);

export async function insertOrganization(trx: Transaction, row: { id: string; name: string }): Promise<void> {
  await trx.insertInto('organizations').values(row).execute();
}

export async function insertMember(
  trx: Transaction,
  row: { organization_id: string; user_id: string; role: string },
): Promise<void> {
  await trx.insertInto('organization_users').values(row).execute();
}

export async function updateOrganization(
  trx: Transaction,
  id: string,
  changes: { name: string },
): Promise<void> {
  await trx
    .updateTable('organizations')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', false)
    .execute();
}

/** @throws 404 */
export async function deleteOrganization(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('organizations')
    .set({ deleted: true, deleted_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', false)
    .returning('id')
    .executeTakeFirstOrThrow(notFound);
}
