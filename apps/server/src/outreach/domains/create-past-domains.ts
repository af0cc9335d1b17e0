import type { Owner } from '@reachout/contract/rules/owners.ts';
import {
  domainCheckKinds,
  type DomainCheckKind,
  type DomainStatus,
} from '@reachout/contract/states/domain.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newIdAt } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { resultOf, type CheckDeps } from './check-domain.ts';
import { newKeys, storeKeys } from './dkim-keys.ts';
import { missingSettingsOf } from './domain-setup-of.ts';
import { linkDomains } from './campaign-domain.queries.ts';
import { listDkimKeys } from './dkim-key.queries.ts';
import { letCheckFail, startCheck, storeCheck } from './domain-check.queries.ts';
import { insertDomain } from './domain.queries.ts';

export interface PastDomain extends Owner {
  domain: string;
  destination: string | null;
  status: DomainStatus;
  created_at: string;
  /** When this check began to fail. */
  lost?: { kind: DomainCheckKind; at: string; fails: number };
  campaignIds: readonly string[];
}

export type PastDomainDeps = CheckDeps & { secrets: Secrets };

/**
 * Creates domains that an organization has had for a while, with the keys of the organization, the results of checks that run
 * now, and links to campaigns. The next checks are due in an hour.
 * @param runCheck  of `deps`: must not wait for the DNS, because the transaction does
 */
export async function createPastDomains(
  trx: Transaction,
  { secrets, ...deps }: PastDomainDeps,
  organization_id: string,
  domains: readonly PastDomain[],
): Promise<void> {
  await storeKeys(trx, await newKeys(secrets, organization_id));
  const keys = await listDkimKeys(trx);
  for (const { lost, campaignIds, ...row } of domains) {
    const id = newIdAt(new Date(row.created_at));
    const next_check_at = new Date(Date.now() + 3_600_000).toISOString();
    await insertDomain(trx, { ...row, organization_id, id, next_check_at });
    for (const kind of domainCheckKinds) {
      if (missingSettingsOf(kind, row.domain, deps.installation).length > 0) continue;
      const started = await startCheck(trx, { domainId: id, kind, intervalMs: 0 });
      const result = await resultOf(deps, kind, { ...row, organization_id }, keys);
      await storeCheck(trx, { domainId: id, kind, started: started! }, result);
    }
    if (lost !== undefined) await letCheckFail(trx, { domainId: id, ...lost });
    await linkDomains(
      trx,
      campaignIds.map((campaign_id) => ({ organization_id, campaign_id, domain_id: id })),
    );
  }
}
