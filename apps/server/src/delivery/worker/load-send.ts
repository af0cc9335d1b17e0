import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import { sendCan, takesSingleMessages } from '@reachout/contract/states/send.ts';
import { hostsOf, type SenderPolicies, type SenderPolicy } from '../../email/transports/sender-policy.ts';
import { PreparationError, type PrepareMessage } from '../../email/transports/transport.ts';
import { findDailyUse, shortageOf } from '../../ledger/daily-limit.ts';
import { hasTransports } from '../../outreach/transports/own-transports.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { getOwnRate } from '../../queue/rates.queries.ts';
import { hasWarmUpPlan } from '../../queue/warm-up.queries.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import { countWorkerDeath } from '../../queue/send-failures.queries.ts';
import {
  getSendContent,
  keepHosts,
  keepTransport,
  lockSend,
  type LockedSend,
} from '../../queue/send.queries.ts';
import { setSendStatus } from '../sends/send-status.ts';
import type { ActiveSend } from './active-send.ts';
import { findPreparation, findSender, rejectWith, type FoundSender } from './find-sender.ts';
import type { OpenTransports } from './open-transports.ts';
import { SendHealth } from './send-health.ts';
import { createSendRenderer, type SendRendererOptions } from './send-renderer.ts';

export interface LoadOptions extends Pick<SendRendererOptions, 'signer'> {
  policies: SenderPolicies;
}

/** A send is paused after this many workers died before they had leased anything of it. */
const deathsToPause = 3;

/** The id of a sending domain that has to be checked before the send is loaded. */
export interface UncheckedSender {
  unchecked: string;
}

/** @returns undefined if the send is no longer `sending` */
export async function loadActiveSend(
  db: Database,
  { signer, policies, transports }: LoadOptions & { transports: OpenTransports },
  ref: SendKey,
): Promise<ActiveSend | UncheckedSender | undefined> {
  const start = await inOrganization(db, ref.organizationId, async (trx) => {
    const send = await lockSend(trx, ref.sendId);
    if (!sendCan.deliver(send)) return undefined;
    // The policy may have changed while the send was paused, or with a restart.
    const sender = await findSender(policies, trx, ref);
    const isTest = send.kind === 'test';
    const error = findReasonToPause(send) ?? (isTest ? undefined : sender.problem);
    if (error !== undefined) {
      await setSendStatus(trx, send, 'paused', { error, worker_deaths: 0 });
      return undefined;
    }
    const found = await findStart(policies, trx, ref, sender);
    if (!('unchecked' in found)) await countWorkerDeath(trx, ref.sendId);
    return found;
  });
  if (start === undefined || 'unchecked' in start) return start;
  const { policy, prepare } = start;
  const transport = await transports.of(ref.organizationId, policy);
  return await inOrganization(db, ref.organizationId, async (trx) => {
    const send = await lockSend(trx, ref.sendId);
    if (!sendCan.deliver(send)) return undefined;
    const { content, messageIdBase } = await getSendContent(trx, ref.sendId);
    const isTest = send.kind === 'test';
    const isSingle = takesSingleMessages(send);
    const found = hostsOf(content.from_email, policy);
    // A send that takes single messages may last for years, and the settings of the built-in mailbox end with it.
    const isKept = !isSingle && policy.transport !== 'mailbox';
    const transportNo = await keepTransport(trx, ref.sendId, policy.own, transport.transport.evidenceMs);
    const hosts = isKept ? await keepHosts(trx, ref.sendId, found) : found;
    const renderer = createSendRenderer(content, {
      organizationId: ref.organizationId,
      sendNumber: send.send_number,
      messageIdBase,
      ...hosts,
      takesReturnedMail: policy.transport !== 'mailbox' && policy.takesReturnedMail,
      signer,
      isTest,
    });
    const domain = domainOf(content.from_email);
    return {
      ref,
      touchpointId: send.touchpoint_id,
      isTest,
      isSingle,
      hosts,
      renderer,
      transport,
      own: policy.own,
      transportNo,
      evidenceMs: transport.transport.evidenceMs,
      prepare,
      senderSeenAt: performance.now(),
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

interface Start {
  policy: SenderPolicy;
  prepare: PrepareMessage | undefined;
}

async function findStart(
  policies: SenderPolicies,
  trx: Transaction,
  ref: SendKey,
  sender: FoundSender,
): Promise<Start | UncheckedSender> {
  const { from, policy, problem } = sender;
  // Nobody would resume a test.
  if (problem !== undefined) return { policy, prepare: rejectWith(new PreparationError(problem)) };
  // It may have been confirmed while a transport without this limit was chosen.
  const shortage = (await hasTransports(trx)) ? await findShortage(trx, ref, policy) : undefined;
  if (shortage !== undefined) return { policy, prepare: rejectWith(new PreparationError(shortage.error)) };
  try {
    const unchecked = await policies.findUnchecked?.(trx, from, policy);
    if (unchecked !== undefined) return { unchecked };
  } catch (error) {
    // The send pauses, and is checked again when it is resumed.
    return { policy, prepare: rejectWith(error) };
  }
  return { policy, prepare: await findPreparation(policies, trx, ref, sender) };
}

async function findShortage(trx: Transaction, { organizationId }: SendKey, policy: SenderPolicy) {
  const use = await findDailyUse(trx, { organizationId, userId: null }, policy);
  return use && shortageOf(use);
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

function findReasonToPause({ worker_deaths, is_overdue }: LockedSend): SendError | undefined {
  if (worker_deaths >= deathsToPause) return sendError('worker_ended', { count: deathsToPause });
  if (is_overdue) return sendError('overdue');
  return undefined;
}
