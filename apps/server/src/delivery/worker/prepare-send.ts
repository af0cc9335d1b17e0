import { describeSendError, sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { snapshotAudience, snapshotFailed, type AudienceSnapshot } from '../queue/audience-snapshot.ts';
import { UnusableAudience } from '../../content/audiences/restore-audience.ts';
import { dailyLimitExceeded, findExceededLimit } from '../../outreach/channels/daily-limit.ts';
import { findSenderProblem, type RelayRules } from '../../email/transports/relay-rules.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { chunkSize } from '../queue/delivery.ts';
import type { SendKey } from '../queue/send-statements.ts';
import { setSendStatus } from '../sends/send-status.ts';
import {
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
 * Takes the audience snapshot of a due send, in one transaction: after a crash it is there as a whole or not at all.
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
      await setSendStatus(trx, send, 'failed', { error: sendError('started_late') });
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
      if (sendCan.prepare(send)) await setSendStatus(trx, send, 'failed', { error: error.sendError });
    });
    return undefined;
  }
}

/** Undoes what was stored of the audience. */
class CannotSend extends Error {
  readonly sendError: SendError;
  constructor(problem: SendError) {
    super(describeSendError(problem));
    this.sendError = problem;
  }
}

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
      error: null,
    });
    // The audience may have grown since the send was confirmed.
    const exceeded = await findExceededLimit(trx, organizationId, relay);
    if (exceeded !== undefined) throw new CannotSend(dailyLimitExceeded(exceeded));
    return { unknownDomains };
  }
  await setSendStatus(trx, send, 'failed', {
    audience_breakdown,
    error: sendError(send.kind === 'follow_up' ? 'follow_up_nobody_left' : 'nobody_left'),
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
  if (audience === null) throw new CannotSend(sendError('no_audience'));
  if (kind !== 'follow_up') return await snapshotAudience(trx, organization_id, audience, target);
  if (parentId === null) throw new CannotSend(sendError('parent_deleted'));
  return await snapshotFailed(trx, organization_id, { parentId, audience }, target);
}
