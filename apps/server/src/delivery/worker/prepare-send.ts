import {
  describeSendError,
  sendError,
  type SendError,
  type SendErrorCode,
} from '@reachout/contract/rules/send-errors.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { snapshotAudience, snapshotFailed, type AudienceSnapshot } from '../../queue/audience-snapshot.ts';
import type { ContactRows } from '../../contacts/audiences/audience-sql.ts';
import { endReading, findReadingOfSend, type SendReading } from '../../contacts/audiences/readings.ts';
import { UnusableAudience } from '../../contacts/audiences/find-audience.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import { reserve } from '../../ledger/allowances.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { chunkSize } from '../../queue/delivery.ts';
import { awaitContacts } from '../../queue/awaited-contacts.queries.ts';
import { listFailedContacts } from '../../queue/follow-up-snapshot.queries.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import { findLatestMissed, queueNextOccurrence } from '../schedules/next-occurrence.ts';
import { planStarts } from '../schedules/send-times.ts';
import { awaitContactsMs } from '../sends/reading-sends.ts';
import { setSendStatus } from '../sends/send-status.ts';
import { findSender } from './find-sender.ts';
import {
  getSendContent,
  lockSend,
  tryLockDueSend,
  type LockedSend,
  type SendContent,
} from '../../queue/send.queries.ts';

/** The contacts are being read from a remote content backend. */
export const awaitingContacts = 'awaiting contacts';

/** Problems of a sending domain that its organization can solve: the send waits for that. */
const waitsForSender: ReadonlySet<SendErrorCode> = new Set([
  'sender_domain_failing',
  'sender_domain_pending',
  'sender_domain_not_linked',
]);

export interface PreparedSend {
  /** Domains of recipients whose mail provider has to be looked up; the built-in mailbox needs none. */
  unknownDomains: string[];
}

/**
 * Takes the audience snapshot of a due send in one transaction, so that after a crash it is complete or absent. A job reads
 * remote contacts before.
 * @returns once the send is `sending` or waits for its contacts; undefined if it does neither
 */
export async function prepareSend(
  db: Database,
  policies: SenderPolicies,
  { organizationId, sendId }: SendKey,
): Promise<PreparedSend | typeof awaitingContacts | undefined> {
  const isClaimed = await inOrganization(db, organizationId, async (trx) => {
    const send = await tryLockDueSend(trx, sendId);
    if (send === undefined || !sendCan.prepare(send)) return false;
    if (send.is_overdue) {
      await holdLate(trx, send);
      return false;
    }
    if (send.status !== 'preparing') {
      await queueNextOccurrence(trx, send);
      await setSendStatus(trx, send, 'preparing');
    }
    return true;
  });
  if (!isClaimed) return undefined;

  try {
    return await inOrganization(db, organizationId, (trx) =>
      storeAudience(trx, policies, { organizationId, sendId }),
    );
  } catch (error) {
    if (!(error instanceof CannotSend || error instanceof UnusableAudience)) throw error;
    await inOrganization(db, organizationId, async (trx) => {
      const send = await lockSend(trx, sendId);
      if (!sendCan.prepare(send)) return;
      const status = waitsForSender.has(error.sendError.code) ? 'held' : 'failed';
      await setSendStatus(trx, send, status, { error: error.sendError });
    });
    return undefined;
  }
}

/** Nothing is sent late without a decision. Of the occurrences that were missed, only the latest waits for it. */
async function holdLate(trx: Transaction, send: LockedSend): Promise<void> {
  const latest = send.status === 'queued' ? await findLatestMissed(trx, send) : undefined;
  await setSendStatus(trx, send, 'held', {
    error: sendError('started_late'),
    ...(latest === undefined ? {} : { occurrence_at: latest, startAt: latest }),
  });
}

/** Rolls back the audience snapshot. */
class CannotSend extends Error {
  readonly sendError: SendError;
  constructor(problem: SendError) {
    super(describeSendError(problem));
    this.sendError = problem;
  }
}

async function storeAudience(
  trx: Transaction,
  policies: SenderPolicies,
  { organizationId, sendId }: SendKey,
): Promise<PreparedSend | typeof awaitingContacts | undefined> {
  const send = await tryLockDueSend(trx, sendId);
  if (send === undefined || !sendCan.prepare(send)) return undefined;
  const stored = await getSendContent(trx, sendId);
  const { policy, problem } = await findSender(policies, trx, { organizationId, sendId });
  if (problem !== undefined) throw new CannotSend(problem);
  const reading = await findContacts(trx, send, stored);
  if (reading?.state === 'reading') {
    const { failure, error_content } = reading;
    const error = failure === null ? null : sendError('contacts_delayed', { detail: error_content ?? '' });
    await awaitContacts(trx, sendId, { delayMs: awaitContactsMs, error });
    return awaitingContacts;
  }
  if (reading !== undefined && reading.state !== 'ready')
    throw new CannotSend(sendError('contacts_not_read', { detail: reading.error_content ?? '' }));
  const rows = reading === undefined ? 'collection' : { readingId: reading.id };
  const { breakdown: audience_breakdown, unknownDomains } = await takeSnapshot(trx, send, stored, rows);
  if (reading !== undefined) await endReading(trx, reading);
  const recipients_total_count = audience_breakdown.will_receive;
  if (recipients_total_count > 0) {
    await setSendStatus(trx, send, 'sending', {
      audience_breakdown,
      recipients_total_count,
      failure_count: 0,
      error: null,
    });
    // The audience may have grown since the send was confirmed.
    const shortage = await reserve(trx, { organizationId, userId: send.user_created }, policy);
    if (shortage !== undefined) throw new CannotSend(shortage.error);
    return { unknownDomains: policy.transport === 'mailbox' ? [] : unknownDomains };
  }
  await setSendStatus(trx, send, 'failed', {
    audience_breakdown,
    error: sendError(send.kind === 'follow_up' ? 'follow_up_nobody_left' : 'nobody_left'),
  });
  return undefined;
}

/** If there are more, the whole collection is read. */
const maxFollowedUp = 1_000;

/**
 * Finds the remote contacts that are read for this send; the read begins when the send is first prepared.
 * @returns undefined if the contacts are in the built-in content backend
 */
async function findContacts(
  trx: Transaction,
  { id: sendId, organization_id, kind, parent_send_id: parentId }: LockedSend,
  { content, audience }: SendContent,
): Promise<SendReading | undefined> {
  const endpoint = audience?.endpoint ?? null;
  if (audience === null || endpoint === null) return undefined;
  const there = { ...audience, endpoint };
  if (kind !== 'follow_up')
    return await findReadingOfSend(trx, organization_id, sendId, there, content.contact_fields);
  if (parentId === null) throw new CannotSend(sendError('parent_deleted'));
  // A contact that matched the rule of the parent no longer has to match it, and keeps its fields from then.
  const failed = await listFailedContacts(trx, organization_id, parentId, maxFollowedUp + 1);
  const { unsubscribed } = audience.field_mapping;
  // An unsubscribed contact may have the address of one of them in different case.
  const alike = unsubscribed === null ? [] : [{ [unsubscribed]: { _eq: true } }];
  const source = failed.length > maxFollowedUp ? {} : { _or: [{ id: { _in: failed } }, ...alike] };
  return await findReadingOfSend(trx, organization_id, sendId, { ...there, source }, []);
}

/** Stores the recipients: the audience, or for a follow-up those whose delivery failed in its parent. */
async function takeSnapshot(
  trx: Transaction,
  send: LockedSend,
  { content, audience }: SendContent,
  rows: ContactRows,
): Promise<AudienceSnapshot> {
  const { id: sendId, organization_id, kind, parent_send_id: parentId } = send;
  if (audience === null) throw new CannotSend(sendError('no_audience'));
  const starts = await planStarts(trx, send);
  const target = { sendId, contactFields: content.contact_fields, chunkSize, starts };
  if (kind !== 'follow_up') return await snapshotAudience(trx, organization_id, audience, target, rows);
  if (parentId === null) throw new CannotSend(sendError('parent_deleted'));
  return await snapshotFailed(trx, organization_id, { parentId, audience, rows }, target);
}
