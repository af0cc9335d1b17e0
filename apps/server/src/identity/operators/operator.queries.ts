import { sql } from 'kysely';
import type { OperatedOrganization } from '@reachout/contract/operator.ts';
import type { OrganizationStatus } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Paging } from '../../platform/database/list-page.ts';

export async function listOrganizations(
  trx: Transaction,
  {
    search,
    status,
    page,
    page_size,
  }: Paging & { search?: string | undefined; status?: OrganizationStatus | undefined },
): Promise<{ items: OperatedOrganization[]; count: number }> {
  const { rows } = await sql<{ organization: OperatedOrganization; count: number }>`
    select to_jsonb(o) - 'count' as organization, count from operated_organizations(${search ?? null}, ${status ?? null}, ${page_size}, ${page * page_size}) o
  `.execute(trx);
  return { items: rows.map(({ organization }) => organization), count: rows[0]?.count ?? 0 };
}

/** Ids of the organizations that a user is a member of, without deleted ones. */
export async function listOrganizationsOf(trx: Transaction, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from organizations_of_user(${userId})`.execute(trx);
  return rows.map(({ id }) => id);
}
