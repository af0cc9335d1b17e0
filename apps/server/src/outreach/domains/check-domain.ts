import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import type { DomainCheckKind, DomainStatus } from '@reachout/contract/states/domain.ts';
import { checkDkim } from '../../email/domains/check-dkim.ts';
import { checkDmarc } from '../../email/domains/check-dmarc.ts';
import { checkReturnPath } from '../../email/domains/check-return-path.ts';
import { checkSpf } from '../../email/domains/check-spf.ts';
import { checkTracking } from '../../email/domains/check-tracking.ts';
import type { DomainSetup } from '../../email/domains/domain-setup.ts';
import { createTrackingProbe, type TrackingProbe } from '../../email/domains/probe-tracking.ts';
import type { Lookups } from '../../email/domains/resolver.ts';
import type { CheckRunner } from '../../email/domains/run-check.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { internalOrigin } from '../../identity/access/caller.ts';
import { notifyOwners } from '../../identity/memberships/notify-owners.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { statusAfter } from './domain-status.ts';
import { domainSetupOf, missingSettingsOf, type DomainInstallation } from './domain-setup-of.ts';
import { listDkimKeys, type PublishedKey } from './dkim-key.queries.ts';
import { listChecks, startCheck, storeCheck } from './domain-check.queries.ts';
import { getDomain, isDomainTaken, lockDomain, updateDomain, type DomainRow } from './domain.queries.ts';

export interface CheckDeps {
  installation: DomainInstallation;
  runCheck: CheckRunner;
  outbound: OutboundClient;
}

/** Opens a transaction of the domain's organization. */
export type InTransaction = <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;

/** Time between two starts of the same check of a domain. */
const intervalMs = 10_000;

/**
 * Runs one check of a domain and stores its result with the status that follows from it. Does nothing if the same check
 * started within the last 10 seconds, or settings are missing that it needs.
 * @throws 404; LimitExceeded if too many checks are waiting
 */
export async function checkDomain(
  deps: CheckDeps,
  transaction: InTransaction,
  { domainId, kind }: { domainId: string; kind: DomainCheckKind },
): Promise<void> {
  const begun = await transaction(async (trx) => {
    const row = await getDomain(trx, domainId);
    if (missingSettingsOf(kind, row.domain, deps.installation).length > 0) return undefined;
    const started = await startCheck(trx, { domainId, kind, intervalMs });
    return started === undefined ? undefined : { row, started, keys: await listDkimKeys(trx) };
  });
  if (begun === undefined) return;
  const { row, started, keys } = begun;
  const result = await resultOf(deps, kind, row, keys);
  await transaction(async (trx) => {
    const current = await lockDomain(trx, domainId);
    if (await storeCheck(trx, { domainId, kind, started }, result)) await followChecks(trx, current);
  });
}

/** Runs one check of a domain. @param keys  both of its organization; @throws LimitExceeded if too many checks are waiting */
export function resultOf(
  { installation, runCheck, outbound }: CheckDeps,
  kind: DomainCheckKind,
  { domain, organization_id }: Pick<DomainRow, 'domain' | 'organization_id'>,
  keys: readonly PublishedKey[],
): Promise<DomainCheckResult> {
  const setup = domainSetupOf(domain, keys, installation);
  return runCheck(
    (lookups, probe = createTrackingProbe(outbound, organization_id)) => checks[kind](lookups, setup, probe),
    setup,
  );
}

type Check = (lookups: Lookups, setup: DomainSetup, probe: TrackingProbe) => Promise<DomainCheckResult>;

const checks: Record<DomainCheckKind, Check> = {
  dkim: checkDkim,
  spf: checkSpf,
  return_path: checkReturnPath,
  dmarc: (lookups, setup) => checkDmarc(lookups, setup),
  tracking: (lookups, setup, probe) => checkTracking(lookups, setup, { probe, issuers: [], now: new Date() }),
};

/** Changes the status if the stored checks say so. @param row  locked */
async function followChecks(trx: Transaction, row: DomainRow): Promise<void> {
  const { id, domain } = row;
  const next = statusAfter(row.status, await listChecks(trx, [id]), new Date());
  if (next === row.status) return;
  if (next === 'verified' && row.status === 'pending' && (await isDomainTaken(trx, domain))) return;
  await updateDomain(trx, id, { status: next });
  await audit(trx, row, next);
  if (next === 'failing')
    await notifyOwners(trx, {
      kind: 'domain_failing',
      payload: { domain },
      validForMs: 7 * 86_400_000,
    });
}

const actionOf = {
  pending: 'domains.released',
  verified: 'domains.verified',
  failing: 'domains.failing',
} as const satisfies Record<DomainStatus, string>;

/** What the DNS says changes the status, not who asks it. */
const audit = (trx: Transaction, { id, organization_id, domain }: DomainRow, status: DomainStatus) =>
  writeAuditEntry(
    trx,
    { userId: undefined, organizationId: organization_id, origin: internalOrigin },
    actionOf[status],
    { record_type: 'domains', record_id: id, record_name: domain },
  );
