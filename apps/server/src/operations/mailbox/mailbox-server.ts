import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { callbackify } from 'node:util';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import { createSendLookup } from '../../identity/access/send-lookup.ts';
import type { SendRef } from '../../identity/access/send-ref.ts';
import type { DeliveryRef, TokenSigner } from '../../email/links/tokens.ts';
import type { Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { isReturnPath } from '../../identity/account-email/return-path.ts';
import { createMessageStore } from './message-store.ts';
import { readSubject } from './message.ts';
import { insertSystemMessage } from './system-mailbox.queries.ts';

export interface MailboxServerDeps {
  db: Database;
  /** For account email. */
  authDb: Database;
  signer: TokenSigner;
  /** 0 picks a free one. */
  port: number;
  log: Log;
}

export interface MailboxServer {
  /** For SMTP_URL: `smtp://127.0.0.1:<port>`. */
  url: string;
  /** Lets what is under way finish for a few seconds; resolves when nothing is open any more. */
  stop(): Promise<void>;
}

const messageLimitBytes = 10_000_000;
const maxConnections = 250;
/** Milliseconds that open connections get to finish when the server stops. */
const stopTimeoutMs = 3_000;

/** Whose message it is: one of a send, or the platform's own. */
type MessageRef = (DeliveryRef & SendRef) | 'system';

/**
 * The built-in mailbox: an SMTP server on the loopback interface that keeps what this installation sends, and passes
 * nothing on. It takes only mail whose envelope sender this installation signed. docs/mailbox.md
 */
export async function startMailboxServer(deps: MailboxServerDeps): Promise<MailboxServer> {
  const { db, authDb, port, log } = deps;
  const findMessageRef = createMessageRefLookup(deps);
  const store = createMessageStore(db);
  const messageRefs = new WeakMap<SMTPServerSession, MessageRef>();

  const server = new SMTPServer({
    ...serverOptions,
    onMailFrom: callbackify((address: SMTPServerAddress, session: SMTPServerSession) =>
      orTryLater(log, async () => {
        const messageRef = await findMessageRef(address.address);
        if (messageRef === undefined)
          throw new SmtpRejection(550, '5.7.1 Only messages of this installation are taken.');
        messageRefs.set(session, messageRef);
      }),
    ),
    onRcptTo: ({ address }, _session, done) => done(simulateBounce(address)),
    onData: callbackify((stream: SMTPServerDataStream, session: SMTPServerSession) =>
      orTryLater(log, async () => {
        const messageRef = messageRefs.get(session);
        const message = await readMessage(stream, session);
        if (messageRef === undefined || message === undefined)
          throw new SmtpRejection(503, '5.5.1 Say MAIL and RCPT first.');
        const receivedAt = new Date();
        if (messageRef === 'system')
          await insertSystemMessage(authDb, { ...message, received_at: receivedAt.toISOString() });
        else {
          const { organizationId, sendId, seq } = messageRef;
          await store.add({ ...message, organizationId, sendId, seq, receivedAt });
        }
        return '2.0.0 Kept in the mailbox';
      }),
    ),
  });
  // Faults of the other side; the connection is closed by then.
  server.on('error', (error) => log.debug({ err: error }, 'mailbox connection failed'));
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: chosen } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${chosen}`,
    stop: async () => {
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
      await store.close();
    },
  };
}

const serverOptions: SMTPServerOptions = {
  name: 'mailbox.reachout.internal',
  banner: 'Reachout mailbox',
  // Nobody signs in and nothing is encrypted: both ends are this machine.
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  hideSMTPUTF8: true,
  // Replies name their enhanced codes themselves (RFC 3463): the server's own table knows fewer.
  hideENHANCEDSTATUSCODES: true,
  size: messageLimitBytes,
  maxRecipients: 1,
  maxClients: maxConnections,
  socketTimeout: 60_000,
  closeTimeout: stopTimeoutMs,
  logger: false,
};

/** Finds the message that an envelope sender names; undefined unless this installation signed it. */
function createMessageRefLookup({ db, signer }: MailboxServerDeps) {
  const sendLookup = createSendLookup(db);
  return async (sender: string): Promise<MessageRef | undefined> => {
    if (isReturnPath(signer, sender)) return 'system';
    // `b.<token>@…`, as the renderer writes return paths.
    const token = /^b\.([^@]+)@[^@]+$/i.exec(sender)?.[1];
    const ref = token === undefined ? undefined : signer.verify('return_path', token);
    const send = ref && (await sendLookup.find(ref.sendNumber));
    return ref && send && { ...ref, ...send };
  };
}

/** Undefined without an envelope. @throws SmtpRejection for a message that is too large */
async function readMessage(stream: SMTPServerDataStream, { envelope }: SMTPServerSession) {
  const { mailFrom, rcptTo } = envelope;
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // A message that is too large is read to its end, but not kept.
    if (stream.sizeExceeded) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (stream.sizeExceeded)
    throw new SmtpRejection(552, `5.3.4 A message has at most ${messageLimitBytes} bytes.`);
  if (mailFrom === false || rcptTo[0] === undefined) return undefined;
  const raw = Buffer.concat(chunks);
  const addresses = { recipient: rcptTo[0].address, sender: mailFrom.address };
  return { id: newId(), ...addresses, subject: readSubject(raw), raw };
}

/** Any error but a rejection is our fault: the sender may try again (RFC 3463 section 3.4). */
async function orTryLater<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SmtpRejection) throw error;
    log.error({ err: error }, 'mailbox cannot store');
    throw new SmtpRejection(451, '4.3.0 The mailbox cannot store this now.');
  }
}

class SmtpRejection extends Error {
  readonly responseCode: number;
  constructor(code: number, text: string) {
    super(text);
    this.responseCode = code;
  }
}

/** So that people can try bounces: only at `bounce.test`, which exists nowhere (RFC 2606). */
function simulateBounce(recipient: string): SmtpRejection | undefined {
  const [, local = ''] = /^([^@]*)@bounce\.test$/i.exec(recipient) ?? [];
  if (/^nouser/i.test(local)) return new SmtpRejection(550, '5.1.1 No such user here');
  if (/^full/i.test(local)) return new SmtpRejection(452, '4.2.2 The mailbox is full');
  if (/^defer/i.test(local)) return new SmtpRejection(450, '4.7.1 Try again later');
  return undefined;
}
