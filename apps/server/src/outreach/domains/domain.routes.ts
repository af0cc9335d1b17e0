import type { Domain, DomainCheck, DomainDetails } from '@reachout/contract/domains.ts';
import { maxDomains } from '@reachout/contract/domains.ts';
import type { DomainCheckKind, DomainSetting } from '@reachout/contract/states/domain.ts';
import { resolveOwner, resolveOwnerChange, withOwners } from '../../content/owners/owners.ts';
import { readSendingDomain } from '../../email/domains/domain-name.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError, forbidden, tooManyRecords } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { checkDomain, type CheckDeps } from './check-domain.ts';
import { newKeys, rotateKeys, storeKeys } from './dkim-keys.ts';
import {
  domainSetupOf,
  knownRecords,
  missingSettings,
  missingSettingsOf,
  ownNamesOf,
  type DomainInstallation,
} from './domain-setup-of.ts';
import { unlinkOthers } from './campaign-domain.queries.ts';
import { listDkimKeys } from './dkim-key.queries.ts';
import { listChecks, type CheckRow } from './domain-check.queries.ts';
import {
  countDomains,
  deleteDomain,
  getDomain,
  hasFullAccessScope,
  insertDomain,
  isDomainTaken,
  listDomains,
  lockDomain,
  updateDomain,
  type DomainRow,
} from './domain.queries.ts';

export interface DomainDeps extends CheckDeps {
  secrets: Secrets;
}

/** Requests for checks of a person, or of an organization: each has two at most, so that others find a free resolver. */
const limitChecks = (bound: string) =>
  createConcurrencyLimiter({ bound, maxConcurrent: 2, maxQueued: 20, maxWaitMs: 20_000 });
const limitOfPerson = limitChecks('checks of domains of one person');
const limitOfOrganization = limitChecks('checks of domains of one organization');

export const createDomainRoutes = (deps: DomainDeps) => {
  const { installation, secrets } = deps;
  const describe = (trx: Transaction, id: string) => describeDomain(trx, id, installation);

  /**
   * Checks now, unless the same check started a moment ago.
   * @returns the stored results of these checks; instead of one that needs missing settings, which ones
   */
  const checkNow = async (
    context: OperationContext,
    id: string,
    kinds: readonly [DomainCheckKind, ...DomainCheckKind[]],
  ) => {
    const { domain } = await context.transaction((trx) => getDomain(trx, id));
    await limitOfPerson(context.userId, () =>
      limitOfOrganization(context.organizationId, async () => {
        // One after the other: an organization has as few places of the runner as requests.
        for (const kind of kinds) await checkDomain(deps, context.transaction, { domainId: id, kind });
      }),
    );
    return await context.transaction(async (trx) => {
      const { status } = await getDomain(trx, id);
      const checks = checksByKind(await listChecks(trx, [id]));
      for (const kind of kinds) {
        const settings = missingSettingsOf(kind, domain, installation);
        if (settings.length > 0) checks[kind] = notPossible(settings);
      }
      return { checks, answer: { domainId: id, status, ...checks[kinds[0]] } };
    });
  };

  return {
    list: inTransaction(operations.domains.list, async (trx, input) => {
      const { items, count } = await listDomains(trx, input);
      return { items: await withStates(trx, items), count };
    }),
    create: operations.domains.create.handler(async ({ input, context }) => {
      const { organizationId } = context;
      const read = readSendingDomain(input.domain, ownNamesOf(installation));
      if ('problem' in read) throw apiError('domain_refused', { reason: read.problem });
      const { domain } = read;
      const hasKeys = (await context.transaction(listDkimKeys)).length > 0;
      const keys = hasKeys ? undefined : await newKeys(secrets, organizationId);
      return await context.commit(async (trx) => {
        await denyLimited(trx, 'create');
        const owner = await resolveOwner(trx, input);
        if ((await countDomains(trx)) >= maxDomains) throw tooManyRecords(maxDomains);
        if (await isDomainTaken(trx, domain)) throw apiError('domain_taken');
        await storeKeys(trx, keys);
        const id = newId();
        const { destination } = input;
        if (
          !(await insertDomain(trx, { organization_id: organizationId, id, ...owner, domain, destination }))
        )
          throw apiError('domain_exists');
        context.note({ record_name: domain });
        return await describe(trx, id);
      });
    }),
    get: inTransaction(operations.domains.get, (trx, input) => describe(trx, input.id)),
    update: inTransaction(operations.domains.update, async (trx, { id, destination, ...change }, context) => {
      const current = await lockDomain(trx, id);
      const owner = await resolveOwnerChange(trx, current, change);
      if (owner !== undefined) await denyLimited(trx, 'update');
      await updateDomain(trx, id, { ...owner, ...(destination !== undefined && { destination }) });
      if (owner !== undefined) await unlinkOthers(trx, id, owner);
      context.note({ record_name: current.domain });
      return await describe(trx, id);
    }),
    delete: inTransaction(operations.domains.delete, async (trx, { id }, context) => {
      const { domain } = await lockDomain(trx, id);
      await deleteDomain(trx, id);
      context.note({ record_name: domain });
      return { id };
    }),
    checkDkim: operations.domains.checkDkim.handler(
      async ({ input, context }) => (await checkNow(context, input.id, ['dkim'])).answer,
    ),
    checkDmarc: operations.domains.checkDmarc.handler(
      async ({ input, context }) => (await checkNow(context, input.id, ['dmarc'])).answer,
    ),
    checkSpf: operations.domains.checkSpf.handler(async ({ input, context }) => {
      const { answer, checks } = await checkNow(context, input.id, ['spf', 'return_path']);
      return { ...answer, return_path: checks.return_path };
    }),
    checkTracking: operations.domains.checkTracking.handler(
      async ({ input, context }) => (await checkNow(context, input.id, ['tracking'])).answer,
    ),
    rotateKeys: operations.domains.rotateKeys.handler(({ context }) => rotateKeys(secrets, context)),
  };
};

/** The result of a check that needs missing settings of the operator. */
const notPossible = (settings: readonly DomainSetting[]): DomainCheck => ({
  state: null,
  verdict: null,
  found: [],
  wanted: [],
  advice: [{ code: 'settings_missing', params: { settings: settings.join(', ') } }],
  checked_at: null,
  passed_at: null,
  failing_since: null,
});

/**
 * The keys belong to the organization: records that were published for one client would prove the domain for another one, too.
 * @throws 403 for members who are limited to some clients
 */
async function denyLimited(trx: Transaction, action: 'create' | 'update'): Promise<void> {
  if (!(await hasFullAccessScope(trx))) throw forbidden(action, 'Domain');
}

async function describeDomain(
  trx: Transaction,
  id: string,
  installation: DomainInstallation,
): Promise<DomainDetails> {
  const row = await getDomain(trx, id);
  const [domain] = await withStates(trx, [row]);
  const setup = domainSetupOf(row.domain, await listDkimKeys(trx), installation);
  return {
    ...domain!,
    records: knownRecords(setup, installation),
    checks: checksByKind(await listChecks(trx, [id])),
    missing_settings: missingSettings(row.domain, installation),
    is_taken: row.status === 'pending' && (await isDomainTaken(trx, row.domain)),
  };
}

const checksByKind = (rows: readonly CheckRow[]): DomainDetails['checks'] =>
  Object.fromEntries(rows.map((row) => [row.kind, row])) as unknown as DomainDetails['checks'];

async function withStates(trx: Transaction, rows: readonly DomainRow[]): Promise<Domain[]> {
  const checks = await listChecks(
    trx,
    rows.map(({ id }) => id),
  );
  return (await withOwners(trx, rows)).map((row) => ({
    ...row,
    states: Object.fromEntries(
      checks.filter(({ domain_id }) => domain_id === row.id).map(({ kind, state }) => [kind, state]),
    ) as Domain['states'],
  }));
}
