import { sendCan, takesSingleMessages } from '@reachout/contract/states/send.ts';
import { snapshotAudience, snapshotFailed, type AudienceSnapshot } from '../queue/audience-snapshot.ts';
import type { EmailSnapshot } from '../../email/email-content.ts';
import { createEmailRenderer, type EmailRenderer } from '../../email/mime/email-renderer.ts';
import { formatListId } from '../../email/mime/headers.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';
import { UnusableAudience } from '../../content/audiences/restore-audience.ts';
import { describeDailyLimit, findExceededLimit } from '../../outreach/channels/daily-limit.ts';
import { findSenderProblem, type RelayRules } from '../../email/transports/relay-rules.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { chunkSize } from '../queue/delivery.ts';
import { getOwnRate } from '../queue/rates.queries.ts';
import type { ActiveSend } from './active-send.ts';
import { SendHealth } from './send-health.ts';
import type { SendKey } from '../queue/send-statements.ts';
import { setSendStatus } from '../sends/send-status.ts';
import {
  countWorkerDeath,
  getSendContent,
  lockSend,
  tryLockDueSend,
  type LockedSend,
  type SendContent,
} from '../queue/send.queries.ts';

export interface PreparedSend {
  /** Domains of recipients for which the mail provider is to be looked up. */
  unknownDomains: string[];
}

/**
 * Writes the audience of a due send down, in one transaction: after a crash it has happened whole or not at all.
 * @returns once the send is sending; undefined when it is not
 */
export async function prepareSend(
  db: Database,
  relay: RelayRules | undefined,
  { organizationId, sendId }: SendKey,
): Promise<PreparedSend | undefined> {
  const isClaimed = await inOrganization(db, organizationId, async (trx) => {
    const send = await tryLockDueSend(trx, sendId);
    if (send === undefined || !sendCan.prepare(send)) return false;
    if (send.is_overdue) {
      await setSendStatus(trx, send, 'failed', {
        error_content: 'This send was due more than a day ago. Confirm it again if it should still go out.',
      });
      return false;
    }
    if (send.status !== 'preparing') await setSendStatus(trx, send, 'preparing');
    return true;
  });
  if (!isClaimed) return undefined;

  try {
    return await inOrganization(db, organizationId, (trx) =>
      storeAudience(trx, relay, { organizationId, sendId }),
    );
  } catch (error) {
    if (!(error instanceof CannotSend || error instanceof UnusableAudience)) throw error;
    await inOrganization(db, organizationId, async (trx) => {
      const send = await lockSend(trx, sendId);
      if (sendCan.prepare(send)) await setSendStatus(trx, send, 'failed', { error_content: error.message });
    });
    return undefined;
  }
}

/** Undoes what was stored of the audience. The message is for the screen. */
class CannotSend extends Error {}

async function storeAudience(
  trx: Transaction,
  relay: RelayRules | undefined,
  { organizationId, sendId }: SendKey,
): Promise<PreparedSend | undefined> {
  const send = await tryLockDueSend(trx, sendId);
  if (send === undefined || !sendCan.prepare(send)) return undefined;
  const stored = await getSendContent(trx, sendId);
  const senderProblem = findSenderProblem(stored.content.from_email, relay);
  if (senderProblem !== undefined) throw new CannotSend(senderProblem);
  const { breakdown: audience_breakdown, unknownDomains } = await takeSnapshot(trx, send, stored);
  const recipients_total_count = audience_breakdown.will_receive;
  if (recipients_total_count > 0) {
    await setSendStatus(trx, send, 'sending', {
      audience_breakdown,
      recipients_total_count,
      failure_count: 0,
      error_content: null,
    });
    // The audience may have grown since the send was confirmed.
    const exceeded = await findExceededLimit(trx, organizationId, relay);
    if (exceeded !== undefined) throw new CannotSend(describeDailyLimit(exceeded));
    return { unknownDomains };
  }
  await setSendStatus(trx, send, 'failed', {
    audience_breakdown,
    error_content: 'Nobody was left in the audience when the send started.',
  });
  return undefined;
}

/** Stores who gets a message: the audience, or those of it whose delivery failed in the parent of a follow-up. */
async function takeSnapshot(
  trx: Transaction,
  { id: sendId, organization_id, kind, parent_send_id: parentId }: LockedSend,
  { content, audience }: SendContent,
): Promise<AudienceSnapshot> {
  const target = { sendId, contactFields: content.contact_fields, chunkSize };
  if (audience === null) throw new CannotSend('This send has no audience.');
  if (kind !== 'follow_up') return await snapshotAudience(trx, organization_id, audience, target);
  if (parentId === null) throw new CannotSend('The send that this one follows was deleted.');
  return await snapshotFailed(trx, organization_id, { parentId, audience }, target);
}

export interface LoadOptions {
  publicUrl: string;
  signer: TokenSigner;
  /** Host in the envelope sender of messages. */
  bounceDomain: string;
  /** Undefined with the built-in mailbox. */
  relay: RelayRules | undefined;
}

/** So many workers that ended before they had leased anything of a send pause it. */
const deathsToPause = 3;

/** @returns undefined when the send is not sending any more */
export async function loadActiveSend(
  db: Database,
  { publicUrl, signer, bounceDomain, relay }: LoadOptions,
  ref: SendKey,
): Promise<ActiveSend | undefined> {
  const isSending = await inOrganization(db, ref.organizationId, async (trx) => {
    const send = await lockSend(trx, ref.sendId);
    if (!sendCan.deliver(send)) return false;
    const reason = findReasonToPause(send);
    if (reason !== undefined) {
      await setSendStatus(trx, send, 'paused', { error_content: reason, worker_deaths: 0 });
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
    // A send that was paused meanwhile, or goes on after a restart with other settings.
    const senderProblem = findSenderProblem(content.from_email, relay);
    if (senderProblem !== undefined) {
      await setSendStatus(trx, send, 'paused', { error_content: senderProblem, worker_deaths: 0 });
      return undefined;
    }
    const renderer = createSendRenderer(content, {
      organizationId: ref.organizationId,
      sendNumber: send.send_number,
      messageIdBase,
      publicUrl,
      signer,
      bounceDomain,
    });
    return {
      ref,
      touchpointId: send.touchpoint_id,
      isTest: send.kind === 'test',
      isSingle: takesSingleMessages(send),
      renderer,
      startedAt: new Date(send.send_date),
      uncertainPolicy: send.uncertain_policy,
      health: new SendHealth(),
      hasLeased: false,
      emptyLanes: new Set(),
      askedForQueuedAt: -Infinity,
      isTrying: false,
      isPausing: false,
      troubledLane: undefined,
      ownRate: await getOwnRate(trx, ref.organizationId),
      limitNote: undefined,
      slowness: 0,
    };
  });
}

function findReasonToPause({ worker_deaths, is_overdue }: LockedSend): string | undefined {
  if (worker_deaths >= deathsToPause)
    return `The worker ended ${deathsToPause} times when it began with this send.`;
  if (is_overdue)
    return 'Nothing was sent for more than a day although messages were due. Resume the send if they should still go out.';
  return undefined;
}

export interface SendRendererOptions extends Pick<LoadOptions, 'publicUrl' | 'signer' | 'bounceDomain'> {
  organizationId: string;
  sendNumber: number;
  /** Of the send, so that a repeat has the same Message-ID whatever the keys of the installation are by then. */
  messageIdBase: string;
}

/** What the messages of one send are built with. */
export function createSendRenderer(
  content: EmailSnapshot,
  { organizationId, sendNumber, messageIdBase, publicUrl, signer, bounceDomain }: SendRendererOptions,
): EmailRenderer {
  const brand = content.context['brand'] as { id: string; name: string };
  const fromDomain = content.from_email.slice(content.from_email.lastIndexOf('@') + 1);
  return createEmailRenderer(content, {
    publicUrl,
    signer,
    sendNumber,
    messageIdBase,
    bounceDomain,
    headers: {
      // Campaign, organization, channel, sender: nothing about a person.
      feedbackId: `${sendNumber}:${organizationId.slice(-12)}:email:reachout`,
      listId: formatListId(brand.name, `${brand.id}.${fromDomain}`),
    },
  });
}
