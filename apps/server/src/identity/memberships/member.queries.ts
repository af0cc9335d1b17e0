import { sql } from 'kysely';
import type { members } from '@reachout/contract/members.ts';
import type { InputOf } from '@reachout/contract/operation.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { NewRow, Row, Transaction } from '../../platform/database/database.ts';
import { containsPattern, countRows, splitOrder } from '../../platform/database/list-page.ts';
import { clientNames } from './member-clients.queries.ts';

const selectMembers = (trx: Transaction) =>
  trx
    .selectFrom('organization_users as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('organization_roles as r', (join) =>
      join.onRef('r.organization_id', '=', 'm.organization_id').onRef('r.role', '=', 'm.role'),
    );

const columnsFor = (accessScope: AccessScope) =>
  [
    'm.organization_id',
    'm.user_id',
    'm.role',
    'r.name as role_name',
    'm.created_at as joined_at',
    'm.last_seen_at',
    sql<
      Row<'users', 'id' | 'full_name' | 'email' | 'avatar_url'>
    >`jsonb_build_object('id', u.id, 'full_name', u.full_name, 'email', u.email,
      'avatar_url', u.avatar_url)`.as('user'),
    clientNames(
      sql`array(select l.client_id from organization_user_clients l
        where l.organization_id = m.organization_id and l.user_id = m.user_id)`,
      accessScope,
    ).as('clients'),
  ] as const;

const sortedBy = {
  full_name: sql`lower(u.full_name)`,
  role: sql`m.role`,
  joined_at: sql`m.created_at`,
  last_seen_at: sql`m.last_seen_at`,
};

/** @param accessScope  the clients whose names may be shown */
export async function listMembers(
  trx: Transaction,
  { search, role, order, page, page_size }: InputOf<typeof members.list>,
  accessScope: AccessScope,
) {
  const matching = selectMembers(trx)
    .$if(role !== undefined, (query) => query.where('m.role', '=', role ?? ''))
    .$if(search !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('u.full_name', 'ilike', containsPattern(search ?? '')),
          eb('u.email', 'ilike', containsPattern(search ?? '')),
        ]),
      ),
    );
  const { column, direction } = splitOrder(order);
  const items = await matching
    .select(columnsFor(accessScope))
    // Members without a visit come last, in either direction.
    .orderBy(sortedBy[column], (ordered) =>
      (direction === 'asc' ? ordered.asc() : ordered.desc()).nullsLast(),
    )
    .orderBy('m.user_id')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  return { items, count: await countRows(matching) };
}

/** The first five owners by name, whom a member can ask for something. */
export async function listOwnerNames(trx: Transaction): Promise<string[]> {
  const owners = await selectMembers(trx)
    .select('u.full_name')
    .where('m.role', '=', 'owner')
    .where('u.status', '=', 'active')
    .where('u.full_name', '<>', '')
    .orderBy(sql`lower(u.full_name)`)
    .limit(5)
    .execute();
  return owners.map(({ full_name }) => full_name);
}

/** @throws 404 */
export const getMember = (trx: Transaction, userId: string, accessScope: AccessScope) =>
  selectMembers(trx)
    .select(columnsFor(accessScope))
    .where('m.user_id', '=', userId)
    .executeTakeFirstOrThrow(notFound);

/**
 * Locks the owners who can sign in until the transaction ends: of two concurrent changes that would leave no owner, the
 * later one sees the result of the earlier.
 */
export async function lockActiveOwners(trx: Transaction): Promise<string[]> {
  const rows = await trx
    .selectFrom('organization_users as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.user_id')
    .where('m.role', '=', 'owner')
    .where('u.status', '=', 'active')
    .orderBy('m.user_id')
    .forUpdate('m')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/**
 * Locks these members: of two members who change each other, the later one waits here, and then sees the result of the
 * earlier. Rows are locked in a fixed order to avoid deadlocks.
 * @returns those who are members
 */
export async function lockMembers(trx: Transaction, userIds: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('organization_users')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .orderBy('user_id')
    .forUpdate()
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/**
 * Locks a member against concurrent changes and removal. Includes the clients that the member is limited to. @throws
 * 404
 */
export async function lockMember(trx: Transaction, userId: string) {
  const member = await trx
    .selectFrom('organization_users as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'm.role', 'u.full_name', 'u.email'])
    .where('m.user_id', '=', userId)
    .forUpdate('m')
    .executeTakeFirstOrThrow(notFound);
  return { ...member, client_ids: await listClientIds(trx, userId) };
}

/**
 * Locks the membership of a user whose permissions are about to be granted to others, until the transaction ends;
 * undefined if the user was removed or suspended.
 */
export async function lockSponsor(trx: Transaction, userId: string) {
  const member = await trx
    .selectFrom('organization_users as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.role')
    .where('m.user_id', '=', userId)
    .where('u.status', '=', 'active')
    .forShare('m')
    .executeTakeFirst();
  return member && { ...member, client_ids: await listClientIds(trx, userId) };
}

async function listClientIds(trx: Transaction, userId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('organization_user_clients')
    .select('client_id')
    .where('user_id', '=', userId)
    .orderBy('client_id')
    .execute();
  return rows.map(({ client_id }) => client_id);
}

export async function isMember(trx: Transaction, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('organization_users')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The addresses that belong to members. @param emails in lower case */
export async function listMemberEmails(trx: Transaction, emails: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('organization_users as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(sql<string>`lower(u.email)`.as('email'))
    .where(sql`lower(u.email)`, 'in', emails)
    .execute();
  return rows.map(({ email }) => email);
}

/** All owners, with the language that they chose. */
export const listOwners = (trx: Transaction) =>
  trx
    .selectFrom('organization_users as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.email', sql<string | null>`u.preferences ->> 'language'`.as('language')])
    .where('m.role', '=', 'owner')
    .where('u.status', '=', 'active')
    .orderBy('m.user_id')
    .execute();

/** @returns false if the user is a member already */
export async function addMember(trx: Transaction, row: NewRow<'organization_users'>): Promise<boolean> {
  const result = await trx
    .insertInto('organization_users')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function updateMemberRole(trx: Transaction, userId: string, role: string): Promise<void> {
  await trx.updateTable('organization_users').set({ role }).where('user_id', '=', userId).execute();
}

/** Ignores clients that no longer exist. */
export async function replaceMemberClients(
  trx: Transaction,
  member: { organization_id: string; user_id: string },
  clientIds: readonly string[],
): Promise<void> {
  await trx.deleteFrom('organization_user_clients').where('user_id', '=', member.user_id).execute();
  await sql`
    insert into organization_user_clients (organization_id, user_id, client_id)
    select c.organization_id, ${member.user_id}, c.id from clients c where c.id = any(${clientIds}::uuid[])
  `.execute(trx);
}

export async function deleteMember(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('organization_users').where('user_id', '=', userId).execute();
}
