import { setTimeout as delay } from 'node:timers/promises';
import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { createSigner } from '../../email/dkim/create-signer.ts';
import { verifySignature } from '../../email/dkim/verify-signature.ts';
import { dkimName } from '../../email/domains/records-for.ts';
import {
  isSignedHere,
  sendingDomainOf,
  type InstallationPolicy,
  type SenderPolicies,
} from '../../email/transports/sender-policy.ts';
import { PreparationError, type PrepareMessage } from '../../email/transports/transport.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { checkDomain, type CheckDeps } from './check-domain.ts';
import { privateKeyPlace } from './dkim-keys.ts';
import { getSigningKey, type SigningKey } from './dkim-key.queries.ts';
import { getStartCheck, type StartCheck } from './domain-check.queries.ts';
import { createSenderPolicies } from './sender-policies.ts';

/** A check that passed within this time holds for the start of a send. */
const freshMs = 3_600_000;
/** Without an answer of the DNS, the last one holds for this time. */
const holdsMs = 86_400_000;
/** What a check has found holds for this time for the sends that waited for it. */
const justCheckedMs = 10_000;
/** Time for a check that another process has begun. */
const maxWaitMs = 15_000;
const waitMs = 500;

export interface SigningDeps extends CheckDeps {
  db: Database;
  secrets: Secrets;
  log: Log;
}

/** Policies of a worker: messages from a verified sending domain are signed with the key of the organization. */
export function createSigningPolicies(
  installation: InstallationPolicy,
  { db, secrets, log, ...deps }: SigningDeps,
): SenderPolicies {
  /** `performance.now()` of the end of the latest checks, by domain id. */
  const justChecked = new Map<string, number>();
  const isJustChecked = (id: string) =>
    performance.now() - (justChecked.get(id) ?? -Infinity) < justCheckedMs;

  /** Ends with a result that is usable, or newer than the call: the same check starts once in some seconds only. */
  const runCheck = async (organizationId: string, domainId: string) => {
    const transaction = <T>(work: (trx: Transaction) => Promise<T>) =>
      inOrganization(db, organizationId, work);
    const begun = performance.now();
    for (;;) {
      await checkDomain(deps, transaction, { domainId, kind: 'dkim' });
      const check = await transaction((trx) => getStartCheck(trx, domainId));
      const passedMs = performance.now() - begun;
      if (check === undefined || isFresh(check) || passedMs > maxWaitMs) return;
      if (!check.is_running && check.checked_ms <= passedMs) return;
      await delay(waitMs);
    }
  };

  return {
    ...createSenderPolicies(installation),

    async findUnchecked(trx, from, policy) {
      const own = sendingDomainOf(from, policy);
      if (own === undefined || policy.transport === 'mailbox' || !isSignedHere(policy)) return undefined;
      const { id, domain } = own;
      const check = await getStartCheck(trx, id);
      if (check !== undefined && isFresh(check)) return undefined;
      if (!isJustChecked(id)) return id;
      // Who resumes the send has it checked again.
      justChecked.delete(id);
      if (check?.state === 'fail') throw new PreparationError(sendError('dkim_record_wrong', { domain }));
      if (check !== undefined && isUsable(check) && check.answered_ms < holdsMs) return undefined;
      throw new PreparationError(sendError('dkim_unanswered', { domain }));
    },

    async checkSender(organizationId, domainId) {
      await runCheck(organizationId, domainId).catch((error: unknown) =>
        log.warn({ err: error, domain_id: domainId }, 'a sending domain could not be checked'),
      );
      for (const id of justChecked.keys()) if (!isJustChecked(id)) justChecked.delete(id);
      justChecked.set(domainId, performance.now());
    },

    async preparationOf(trx, organizationId, from, policy) {
      const own = sendingDomainOf(from, policy);
      if (own === undefined || !isSignedHere(policy)) return undefined;
      const { domain } = own;
      const key = await getSigningKey(trx);
      if (key === undefined) throw unusable(domain, 'The organization has no key.');
      const { selector } = key;
      const sign = createSigner({ domain, selector, privateKey: open(organizationId, domain, key) });
      const found = (await getStartCheck(trx, own.id))?.found ?? [];
      const name = dkimName(selector, domain);
      const records = found.filter((record) => record.type === 'TXT' && record.name === name);
      // A check that passed has compared the keys.
      const record = records.length === 1 ? records[0]!.value : `v=DKIM1; k=rsa; p=${key.public_key}`;
      return verifyingFirst(domain, sign, record);
    },
  };

  function open(organizationId: string, domain: string, { selector, private_key }: SigningKey): string {
    try {
      return secrets.open(privateKeyPlace(organizationId, selector), private_key);
    } catch (error) {
      throw unusable(domain, error instanceof Error ? error.message : String(error));
    }
  }
}

/** Faults of the next key are warnings. */
const isUsable = ({ state }: StartCheck): boolean => state === 'pass' || state === 'warn';

const isFresh = (check: StartCheck): boolean =>
  isUsable(check) && check.verdict !== 'temporary_error' && check.checked_ms < freshMs;

const unusable = (domain: string, detail: string) =>
  new PreparationError(sendError('dkim_key_unusable', { domain, detail }));

/** Verifies messages, as receivers do, until the first one has passed. */
function verifyingFirst(domain: string, sign: PrepareMessage, record: string): PrepareMessage {
  let isVerified = false;
  return async (message) => {
    const signed = await sign(message);
    if (isVerified) return signed;
    const problem = verifySignature(signed.message, record);
    if (problem !== undefined)
      throw new PreparationError(sendError('dkim_signature_differs', { domain, detail: problem }));
    isVerified = true;
    return signed;
  };
}
