import { sql } from 'kysely';
import type { OperatedOrganization, OperatedUser } from '@reachout/contract/operator.ts';
import type { OrganizationStatus } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countRows, type Paging } from '../../platform/database/list-page.ts';

interface Listed<S> extends Paging {
  search?: string | undefined;
  status?: S | undefined;
}

export async function listOrganizations(
  trx: Transaction,
  { search, status, page, page_size }: Listed<OrganizationStatus>,
): Promise<{ items: OperatedOrganization[]; count: number }> {
  const { rows } = await sql<OperatedOrganization & { count: number }>`
    select * from operated_organizations(${search ?? null}, ${status ?? null}, ${page_size}, ${page * page_size})
  `.execute(trx);
  return { items: rows.map(({ count: _, ...row }) => row), count: rows[0]?.count ?? 0 };
}

export async function listUsers(
  trx: Transaction,
  { search, status, page, page_size }: Listed<OperatedUser['status']>,
): Promise<{ items: OperatedUser[]; count: number }> {
  let found = trx.selectFrom('users');
  if (status !== undefined) found = found.where('status', '=', status);
  if (search !== undefined)
    found = found.where(sql<boolean>`strpos(lower(concat_ws(' ', full_name, email)), lower(${search})) > 0`);
  const items = await found
    .select(['id', 'full_name', 'email', 'status', 'status_reason', 'inserted_at as created_at'])
    .orderBy('inserted_at', 'desc')
    .orderBy('id')
    .limit(page_size)
    .offset(page * page_size)
    .$castTo<OperatedUser>()
    .execute();
  return { items, count: await countRows(found) };
}

/** Ids of the organizations that a user is a member of, without deleted ones. */
export async function listOrganizationsOf(trx: Transaction, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from organizations_of_user(${userId})`.execute(trx);
  return rows.map(({ id }) => id);
}
