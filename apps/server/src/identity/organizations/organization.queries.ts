import type { Choice } from '@reachout/contract/reference.ts';
import { sql } from 'kysely';
import type { Organization, SetupTask } from '@reachout/contract/organizations.ts';
import type { OrganizationStatus, UncertainPolicy } from '@reachout/contract/statuses.ts';
import { notFound, orNotFound } from '../../platform/http/api-error.ts';
import { rowsOf, onlyRowOf, type NewRow, type Transaction } from '../../platform/database/database.ts';
import { softDeleteRow, updateRow } from '../../platform/database/restorable.ts';

/** Organizations of the acting user, by name; without deleted and inactive ones. */
export const listMyOrganizations = (trx: Transaction) =>
  rowsOf<Organization>(trx)`select * from my_organizations()`;

/** @throws 404 */
export const getMyOrganization = async (trx: Transaction, id: string): Promise<Organization> =>
  orNotFound((await listMyOrganizations(trx)).find((organization) => organization.id === id));

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

type NamedList = 'countries' | 'organization_contact_types' | 'client_contact_types';

/** Sorted by name in English collation: Åland Islands are near the top. */
export async function listChoices(trx: Transaction, list: NamedList): Promise<Choice[]> {
  const choices = await trx.selectFrom<NamedList>(list).select(['id', 'name']).execute();
  const { compare } = new Intl.Collator('en');
  return choices.sort((one, other) => compare(one.name, other.name));
}

/** From small to large. */
export const listOrganizationSizes = (trx: Transaction): Promise<Choice[]> =>
  trx.selectFrom('organization_sizes').select(['id', 'name']).orderBy('position').execute();

/** The set-up tasks that an organization has done, derived from existing data: completion is not stored. */
export const findDoneTasks = (trx: Transaction, organizationId: string) => onlyRowOf<
  Record<SetupTask, boolean>
>(trx)`
  select
    o.organization_size_id is not null and o.country_id is not null as profile,
    (select count(*) from organization_users u where u.organization_id = o.id) > 1
      or exists (select from organization_invitations i where i.organization_id = o.id) as team,
    exists (select from current_brands b where b.organization_id = o.id) as brand,
    has_contacts(o.id) as contacts,
    exists (select from filters f where f.organization_id = o.id) as audience,
    exists (select from touchpoint_sends s where s.organization_id = o.id and s.kind <> 'test') as touchpoint
  from organizations o
  where o.id = ${organizationId}
`;
