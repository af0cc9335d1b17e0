import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import { sendCan, takesSingleMessages } from '@reachout/contract/states/send.ts';
import {
  findSenderProblem,
  type SenderPolicies,
  type SenderPolicy,
} from '../../email/transports/sender-policy.ts';
import { PreparationError, type PrepareMessage } from '../../email/transports/transport.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { getOwnRate } from '../../queue/rates.queries.ts';
import { hasWarmUpPlan } from '../../queue/warm-up.queries.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import { countWorkerDeath } from '../../queue/send-failures.queries.ts';
import { getSendContent, lockSend, type LockedSend } from '../../queue/send.queries.ts';
import { setSendStatus } from '../sends/send-status.ts';
import type { ActiveSend } from './active-send.ts';
import type { OpenTransports } from './open-transports.ts';
import { SendHealth } from './send-health.ts';
import { senderScopeOf } from './sender-scope.ts';
import { createSendRenderer, type SendRendererOptions } from './send-renderer.ts';

export interface LoadOptions extends Pick<SendRendererOptions, 'signer'> {
  policies: SenderPolicies;
}

/** A send is paused after this many workers died before they had leased anything of it. */
const deathsToPause = 3;

/** @returns undefined if the send is no longer `sending` */
export async function loadActiveSend(
  db: Database,
  { signer, policies, transports }: LoadOptions & { transports: OpenTransports },
  ref: SendKey,
): Promise<ActiveSend | undefined> {
  const isSending = await inOrganization(db, ref.organizationId, async (trx) => {
    const send = await lockSend(trx, ref.sendId);
    if (!sendCan.deliver(send)) return false;
    const error = findReasonToPause(send);
    if (error !== undefined) {
      await setSendStatus(trx, send, 'paused', { error, worker_deaths: 0 });
      return false;
    }
    await countWorkerDeath(trx, ref.sendId);
    return true;
  });
  if (!isSending) return undefined;
  return await inOrganization(db, ref.organizationId, async (trx) => {
    const send = await lockSend(trx, ref.sendId);
    if (!sendCan.deliver(send)) return undefined;
    const { content, messageIdBase } = await getSendContent(trx, ref.sendId);
    // The policy may have changed while the send was paused, or with a restart.
    const policy = await policies.of(trx, await senderScopeOf(trx, ref));
    const senderProblem = findSenderProblem(content.from_email, policy);
    if (senderProblem !== undefined) {
      await setSendStatus(trx, send, 'paused', { error: senderProblem, worker_deaths: 0 });
      return undefined;
    }
    const isTest = send.kind === 'test';
    const renderer = createSendRenderer(content, {
      organizationId: ref.organizationId,
      sendNumber: send.send_number,
      messageIdBase,
      publicUrl: policy.publicUrl,
      signer,
      bounceDomain: policy.bounceDomain,
      isTest,
    });
    const domain = domainOf(content.from_email);
    return {
      ref,
      touchpointId: send.touchpoint_id,
      isTest,
      isSingle: takesSingleMessages(send),
      renderer,
      transport: transports.of(policy.transport),
      prepare: await findPreparation(policies, trx, ref, content.from_email, policy),
      startedAt: new Date(send.send_date),
      uncertainPolicy: send.uncertain_policy,
      health: new SendHealth(),
      hasLeased: false,
      unclearLeases: new Set(),
      emptyLanes: new Set(),
      nextSeqs: new Map(),
      lookedAtAllAt: -Infinity,
      askedForQueuedAt: -Infinity,
      isTrying: false,
      isPausing: false,
      isOutdated: false,
      backedOffLane: undefined,
      ownRate: await getOwnRate(trx, ref.organizationId),
      warmUpDomain: (await hasWarmUpPlan(trx, domain)) ? domain : undefined,
      rateBuckets: new Map(),
      limitNote: undefined,
      buildsToMeasure: 0,
      slowness: 0,
    };
  });
}

/** @returns undefined if messages leave as they are built; what rejects each of them if the policy lets none leave */
async function findPreparation(
  policies: SenderPolicies,
  trx: Transaction,
  { organizationId }: SendKey,
  from: string,
  policy: SenderPolicy,
): Promise<PrepareMessage | undefined> {
  try {
    return await policies.preparationOf?.(trx, organizationId, from, policy);
  } catch (error) {
    if (!(error instanceof PreparationError)) throw error;
    return () => Promise.reject(error);
  }
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

function findReasonToPause({ worker_deaths, is_overdue }: LockedSend): SendError | undefined {
  if (worker_deaths >= deathsToPause) return sendError('worker_ended', { count: deathsToPause });
  if (is_overdue) return sendError('overdue');
  return undefined;
}
