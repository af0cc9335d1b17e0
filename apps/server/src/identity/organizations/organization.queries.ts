import { sql } from 'kysely';
import type { Organization } from '@reachout/contract/organizations.ts';
import type { OrganizationStatus, UncertainPolicy } from '@reachout/contract/statuses.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { NewRow, Transaction } from '../../platform/database/database.ts';
import { softDeleteRow, updateRow } from '../../platform/database/restorable.ts';

/** Organizations of the acting user, by name; without deleted and inactive ones. */
export async function listMyOrganizations(trx: Transaction): Promise<Organization[]> {
  const { rows } = await sql<Organization>`select * from my_organizations()`.execute(trx);
  return rows;
}

/** @throws 404 */
export async function getMyOrganization(trx: Transaction, id: string): Promise<Organization> {
  const found = (await listMyOrganizations(trx)).find((organization) => organization.id === id);
  if (found === undefined) throw notFound();
  return found;
}

export async function insertOrganization(trx: Transaction, row: NewRow<'organizations'>): Promise<void> {
  await trx.insertInto('organizations').values(row).execute();
}

export const updateOrganization = updateRow('organizations');
export const deleteOrganization = softDeleteRow('organizations');

/** @returns the name; undefined if there is no such organization */
export async function updateMessageRate(
  trx: Transaction,
  id: string,
  messages_per_minute: number | null,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('organizations')
    .set({ messages_per_minute, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', false)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** @returns the name; undefined if there is no such organization */
export async function updateDailyRecipientLimit(
  trx: Transaction,
  id: string,
  daily_recipient_limit: number | null,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('organizations')
    .set({ daily_recipient_limit, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', false)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** That of the transaction's organization. @throws 404 */
export async function getUncertainPolicy(trx: Transaction): Promise<UncertainPolicy> {
  const { uncertain_policy } = await trx
    .selectFrom('organizations')
    .select('uncertain_policy')
    .where('id', '=', sql<string>`current_organization_id()`)
    .executeTakeFirstOrThrow(notFound);
  return uncertain_policy;
}

/** That of the transaction's organization, also if it is deleted; undefined if it was erased. */
export async function findOrganizationName(trx: Transaction): Promise<string | undefined> {
  const row = await trx
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', sql<string>`current_organization_id()`)
    .executeTakeFirst();
  return row?.name;
}

/** Locks the organization until the transaction ends, so that concurrent additions to its lists are counted. */
export async function lockOrganization(trx: Transaction, id: string): Promise<void> {
  await trx.selectFrom('organizations').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Locks an organization until the transaction ends. @throws 404 if it does not exist, or is deleted */
export const lockOrganizationStatus = (trx: Transaction, id: string) =>
  trx
    .selectFrom('organizations')
    .select(['name', 'status', 'status_reason'])
    .where('id', '=', id)
    .where('deleted', '=', false)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound);

/** @returns false if it no longer exists, or is not due for erasure */
export async function eraseOrganizationRow(trx: Transaction, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ erased: boolean }>`
    select erase_organization(${organizationId}) as erased
  `.execute(trx);
  return rows[0]?.erased === true;
}

/** Whether the transaction's organization is not deleted, and has none of these statuses. */
export async function isOrganizationWithout(
  trx: Transaction,
  statuses: readonly OrganizationStatus[],
): Promise<boolean> {
  const row = await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', sql<string>`current_organization_id()`)
    .where('deleted', '=', false)
    .where('status', 'not in', statuses)
    .executeTakeFirst();
  return row !== undefined;
}
