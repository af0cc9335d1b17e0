import type { OperatedOrganization } from '@reachout/contract/operator.ts';
import type { OrganizationStatus } from '@reachout/contract/statuses.ts';
import { rowsOf, valuesOf, type Transaction } from '../../platform/database/database.ts';
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
  const rows = await rowsOf<{ organization: OperatedOrganization; count: number }>(trx)`
    select to_jsonb(o) - 'count' as organization, count from operated_organizations(${search ?? null}, ${status ?? null}, ${page_size}, ${page * page_size}) o
  `;
  return { items: rows.map(({ organization }) => organization), count: rows[0]?.count ?? 0 };
}

/** Ids of the organizations that a user is a member of, without deleted ones. */
export const listOrganizationsOf = (trx: Transaction, userId: string) =>
  valuesOf<string>(trx)`select id from organizations_of_user(${userId})`;
