import { createSendLookup } from '../../identity/access/send-lookup.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';
import type { SmtpStage } from '../../email/rejections/rejection.ts';
import { toRejection } from '../../email/smtp/smtp-reply.ts';
import { unsent, withdrawn } from '../../email/transports/handover.ts';
import { TextSlots, type ReleaseSlot } from '../../email/transports/text-slots.ts';
import type { MailTransport, OutgoingMessage, TransportResult } from '../../email/transports/transport.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { readSubject, type ReceivedMessage } from './message.ts';
import { insertSystemMessage, insertMessages, pruneMessages } from './mailbox.queries.ts';
import { createGroupCommit, type GroupCommit } from '../../platform/group-commit.ts';

export interface MailboxTransportOptions {
  db: Database;
  signer: TokenSigner;
  log: Log;
  /** Maximum stored messages without a settled result. */
  slots: number;
}

/**
 * The built-in mailbox as the transport for sends: stores each message for the organization of its signed envelope sender
 * and relays nothing. docs/mailbox.md
 */
export function createMailboxTransport({
  db,
  signer,
  log,
  slots: count,
}: MailboxTransportOptions): MailTransport {
  const findMessageRef = createMessageRefLookup(db, signer);
  const store = createMessageStore(db);
  const slots = new TextSlots(count);
  const keep = async (message: OutgoingMessage): Promise<TransportResult> => {
    const ref = await findMessageRef(message.envelopeFrom);
    if (ref === undefined) return reject('mail', 550, '5.7.1 Only messages of this installation are kept.');
    const { received_at, ...stored } = toStored(message);
    await store.add({ ...stored, ...ref, receivedAt: received_at });
    return kept;
  };
  return {
    capacity: 2 * count,
    get usage() {
      return { connections: 0, slots: count, slotsInUse: slots.inUse, slotsHeldLong: slots.heldLong };
    },
    send: async (message) => {
      const bounce = simulateBounce(message.envelopeTo);
      if (bounce !== undefined) return unsent(bounce);
      const settle = await new Promise<ReleaseSlot>((resolve) => slots.request(resolve));
      if (message.mayLeave?.() === false) {
        settle();
        return unsent(withdrawn);
      }
      return { result: await orTryLater(log, () => keep(message)), settle };
    },
    close: () => store.close(),
  };
}

/** Transport that stores account emails, which belong to no organization. @param db  connected as `reachout_auth` */
export const createSystemMailboxTransport = (db: Database, log: Log): Pick<MailTransport, 'send'> => ({
  send: async (message) =>
    unsent(
      await orTryLater(log, async () => {
        const { received_at, ...stored } = toStored(message);
        await insertSystemMessage(db, { ...stored, received_at: received_at.toISOString() });
        return kept;
      }),
    ),
});

/** Finds the message of an envelope sender; undefined unless this installation signed it. */
function createMessageRefLookup(db: Database, signer: TokenSigner) {
  const sendLookup = createSendLookup(db);
  return async (sender: string) => {
    // The renderer writes return paths as `b.<token>@…`.
    const token = /^b\.([^@]+)@[^@]+$/i.exec(sender)?.[1];
    const ref = token === undefined ? undefined : signer.verify('return_path', token);
    const send = ref && (await sendLookup.find(ref.sendNumber));
    return send && { organizationId: send.organizationId, sendId: send.sendId, seq: ref.seq };
  };
}

const toStored = ({ envelopeFrom, envelopeTo, message }: OutgoingMessage) => ({
  id: newId(),
  recipient: envelopeTo,
  sender: envelopeFrom,
  subject: readSubject(message),
  raw: message,
  received_at: new Date(),
});

/** The message is listed in the test inbox and has no server reference. */
const kept: TransportResult = { outcome: 'accepted', reference: null };

const reject = (stage: SmtpStage, code: number, text: string): TransportResult =>
  toRejection(stage, { code, lines: [text] }).result;

/** An error is unrelated to the message, so it is retried later (4.3.0: RFC 3463, section 3.4). */
async function orTryLater(log: Log, work: () => Promise<TransportResult>): Promise<TransportResult> {
  try {
    return await work();
  } catch (error) {
    log.error({ err: error }, 'mailbox cannot store');
    return reject('message', 451, '4.3.0 The mailbox cannot store this now.');
  }
}

/** Simulates bounces for trying them out, only at the reserved domain `bounce.test` (RFC 2606). */
function simulateBounce(recipient: string): TransportResult | undefined {
  const [, local = ''] = /^([^@]*)@bounce\.test$/i.exec(recipient) ?? [];
  if (/^nouser/i.test(local)) return reject('rcpt', 550, '5.1.1 No such user here');
  if (/^full/i.test(local)) return reject('rcpt', 452, '4.2.2 The mailbox is full');
  if (/^defer/i.test(local)) return reject('rcpt', 450, '4.7.1 Try again later');
  return undefined;
}

/** Number of newest messages kept per organization; may be exceeded by a few hundred until the next pruning. */
export const maxStoredMessages = 5_000;
/** Messages of an organization between two prunings. */
const pruneEvery = 500;

/** Stores an organization's queued messages together, with one statement and one commit. */
function createMessageStore(db: Database): GroupCommit<ReceivedMessage> {
  /** Messages stored since the last pruning, by organization. Unknown after a start, so the first batch prunes. */
  const sincePruning = new Map<string, number>();
  return createGroupCommit<ReceivedMessage>({
    groupOf: (message) => message.organizationId,
    maxQueued: 1_000,
    maxBatch: 200,
    store: async (organizationId, messages) => {
      const since = (sincePruning.get(organizationId) ?? pruneEvery) + messages.length;
      const isDue = since >= pruneEvery;
      await inOrganization(db, organizationId, async (trx) => {
        await insertMessages(trx, messages.map(toRow));
        if (isDue) await pruneMessages(trx, organizationId, maxStoredMessages);
      });
      sincePruning.set(organizationId, isDue ? 0 : since);
    },
  });
}

const toRow = (message: ReceivedMessage) => ({
  organization_id: message.organizationId,
  id: message.id,
  send_id: message.sendId,
  seq: message.seq,
  recipient: message.recipient,
  sender: message.sender,
  subject: message.subject,
  raw: message.raw,
  received_at: message.receivedAt.toISOString(),
});
