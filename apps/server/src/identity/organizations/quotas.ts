import { quotaKinds, type Quota, type QuotaKind } from '@reachout/contract/organizations.ts';
import { errorTexts, quotaAdvice } from '@reachout/contract/rules/error-texts.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { updateDailyRecipientLimit, updateMessageRate } from './organization.queries.ts';
import { getQuotaUse, lockQuota, updateQuota } from './quota.queries.ts';

/** For organizations without limits set by the operator. Imports are counted over 24 hours. */
export const defaultQuotas: Readonly<Record<QuotaKind, number>> = {
  contacts: 2_000_000,
  templates: 500,
  // As `default_content_megabytes` in db/functions/owners.sql, which refuses further texts.
  content_megabytes: 4_000,
  file_megabytes: 1_000,
  imports: 200,
  images: 200,
  // Anybody can send events of any size with the public token: 4 kB each would be 3 GB an hour from one address.
  website_events: 2_000_000,
  website_megabytes: 1_000,
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
 * Call this after the row was added. Contacts and bytes are counted by collection, so additions to other collections wait here;
 * for kinds without a counter, call `lockForQuota` before the row is added.
 * @throws LimitExceeded `quota_exceeded`
 */
export async function enforceQuota(trx: Transaction, organizationId: string, kind: QuotaKind): Promise<void> {
  if (kind === 'contacts' || kind === 'content_megabytes') await lockQuota(trx, organizationId, kind);
  const { quota, limit, used } = await findQuota(trx, organizationId, kind);
  if (used > limit)
    throw quotaExceeded(
      { quota, limit, used: kind === 'content_megabytes' ? limit : used - 1 },
      organizationId,
    );
}

/** @returns 409 `quota_exceeded`, whose text says what can be removed */
export const quotaExceeded = (data: Quota, organizationId: string | undefined): LimitExceeded =>
  new LimitExceeded(
    data.quota,
    'quota_exceeded',
    data,
    { organizationId },
    `${errorTexts.quota_exceeded} ${quotaAdvice[data.quota]}`,
  );

/** Locks the quota: further additions, by transactions that lock it as well, wait until this one has ended. */
export const lockForQuota = lockQuota;

/**
 * Only for the operator's terminal: no operation of the API changes the quota.
 * @param limit  null for the default
 * @returns the name of the organization; undefined if there is none
 */
export const setQuota = (
  db: Database,
  organizationId: string,
  kind: QuotaKind,
  limit: number | null,
): Promise<string | undefined> =>
  inOrganization(db, organizationId, (trx) => updateQuota(trx, organizationId, kind, limit));

/**
 * Only for the operator's terminal: no operation of the API changes the limit.
 * @param limit  null for the default of the settings
 * @returns the name of the organization; undefined if there is none
 */
export const setDailyRecipientLimit = (
  db: Database,
  organizationId: string,
  limit: number | null,
): Promise<string | undefined> =>
  inOrganization(db, organizationId, (trx) => updateDailyRecipientLimit(trx, organizationId, limit));

/**
 * Only for the operator's terminal: no operation of the API changes the rate. Workers read it when they start a send.
 * @param perMinute  messages; null for the default of the settings
 * @returns the name of the organization; undefined if there is none
 */
export const setMessageRate = (
  db: Database,
  organizationId: string,
  perMinute: number | null,
): Promise<string | undefined> =>
  inOrganization(db, organizationId, (trx) => updateMessageRate(trx, organizationId, perMinute));
