import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import type { DomainCheckKind, DomainStatus, DomainCheckState } from '@reachout/contract/states/domain.ts';
import { checkDkim } from '../../email/domains/check-dkim.ts';
import { checkDmarc } from '../../email/domains/check-dmarc.ts';
import { checkReturnPath } from '../../email/domains/check-return-path.ts';
import { checkSpf } from '../../email/domains/check-spf.ts';
import { checkTracking } from '../../email/domains/check-tracking.ts';
import type { DomainSetup } from '../../email/domains/records-for.ts';
import { createTrackingProbe, type TrackingProbe } from '../../email/domains/probe-tracking.ts';
import type { Lookups } from '../../email/domains/resolver.ts';
import type { CheckRunner } from '../../email/domains/run-check.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { internalOrigin } from '../../identity/access/caller.ts';
import { notifyOwners } from '../../identity/memberships/notify-owners.ts';
import type { Transaction, Row } from '../../platform/database/database.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
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

/**
 * What the status depends on, of one check. `state`: the latest verdict about the records, null before the first. `failing_since`: the
 * first of the latest failures in a row; temporary errors do not count.
 */
type CheckState = Row<'sending_domain_checks', 'kind' | 'state' | 'failing_since' | 'fails_count'>;

/** A verified domain is failing after so many failures in a row of one check, */
const minFails = 3;
/** with so much time from the first to the last: a mistake in the zone can be undone before sends stop. */
const minFailingMs = 6 * 3_600_000;
/** A failing domain is to be verified again when one check has failed for so long: another organization may have its name. */
const maxFailingMs = 30 * 86_400_000;

const needed: Readonly<Partial<Record<DomainCheckKind, readonly DomainCheckState[]>>> = {
  dkim: ['pass'],
  spf: ['pass', 'warn'],
  return_path: ['pass'],
  dmarc: ['pass', 'warn'],
};

/** @param states  all of the domain */
function statusAfter(status: DomainStatus, states: readonly CheckState[], now: Date): DomainStatus {
  const hasFailedFor = (ms: number) =>
    states.some(
      ({ kind, failing_since, fails_count }) =>
        needed[kind] !== undefined &&
        fails_count >= minFails &&
        failing_since !== null &&
        now.getTime() - Date.parse(failing_since) >= ms,
    );
  if (status === 'verified') return hasFailedFor(minFailingMs) ? 'failing' : 'verified';
  const hasAll = (Object.keys(needed) as DomainCheckKind[]).every((kind) => {
    const state = states.find((check) => check.kind === kind)?.state;
    return state !== undefined && state !== null && needed[kind]!.includes(state);
  });
  if (hasAll) return 'verified';
  return status === 'failing' && hasFailedFor(maxFailingMs) ? 'pending' : status;
}
