import { quotaKinds, type Quota, type QuotaKind } from '@reachout/contract/organizations.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { getQuotaUse, lockQuota, updateQuota } from './quota.queries.ts';

/** For organizations to which the operator gave no other numbers. Imports are those of 24 hours. */
export const defaultQuotas: Readonly<Record<QuotaKind, number>> = {
  contacts: 2_000_000,
  templates: 500,
  imports: 200,
  images: 200,
};

export async function findQuota(trx: Transaction, organizationId: string, kind: QuotaKind): Promise<Quota> {
  const { own_limit, used } = await getQuotaUse(trx, organizationId, kind);
  return { quota: kind, limit: own_limit ?? defaultQuotas[kind], used };
}

export async function listQuotas(trx: Transaction, organizationId: string): Promise<Quota[]> {
  const found: Quota[] = [];
  for (const kind of quotaKinds) found.push(await findQuota(trx, organizationId, kind));
  return found;
}

/**
 * Call it after the row was added. Rows that are counted where they are added lock their counter; for others, call
 * `lockQuota` first.
 * @throws 409 `quota_exceeded`
 */
export async function enforceQuota(trx: Transaction, organizationId: string, kind: QuotaKind): Promise<void> {
  const { quota, limit, used } = await findQuota(trx, organizationId, kind);
  if (used > limit) throw apiError('quota_exceeded', { quota, limit, used: used - 1 });
}

/** Before a row is added whose kind has no counter: what is added at the same moment waits. */
export const lockForQuota = lockQuota;

/**
 * For the operator's own terminal: no operation of the API changes it.
 * @param limit  null for the one that all have
 * @returns the name of the organization; undefined when there is none
 */
export const setQuota = (
  db: Database,
  organizationId: string,
  kind: QuotaKind,
  limit: number | null,
): Promise<string | undefined> =>
  inOrganization(db, organizationId, (trx) => updateQuota(trx, organizationId, kind, limit));
