import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { InvalidConfig } from '../../platform/invalid-config.ts';
import { ipPrefixOf } from '../../platform/ip-prefix.ts';
import type { Log } from '../../platform/log.ts';
import { isLoopback } from '../../platform/loopback.ts';
import type { Metric } from '../../platform/metrics/metric.ts';
import { createRequestRate } from '../../platform/rate-limits/request-rate.ts';
import { toALabels } from '../addresses/address.ts';
import type { TokenSigner } from '../links/tokens.ts';
import { createInboundCounts, toInboundMetrics } from './inbound-counts.ts';
import { InboundFull } from './inbound-full.ts';
import { mailboxKindOf } from './mailbox-kind.ts';
import { readStart } from './read-start.ts';
import { complaintsMailbox, type InboundMail } from './returned-mail.ts';

export interface InboundServerOptions {
  host: string;
  port: number;
  /** The name in the greeting. */
  name: string;
  signer: Pick<TokenSigner, 'verify'>;
  /** Whether returned mail is sent to this host. @param domain  A-labels in lower case */
  isBounceHost: (domain: string) => Promise<boolean>;
  /** Awaited before a message counts as taken. @throws InboundFull */
  store: (mail: InboundMail) => Promise<void>;
  /** PEM texts; without them, STARTTLS is not offered. */
  certificate?: { cert: string; key: string } | undefined;
  log: Log;
  limits?: Partial<InboundLimits> | undefined;
}

/** They bound the memory: each connection keeps at most `maxInboundBytes`. */
export interface InboundLimits {
  connections: number;
  /** Connections of a network (/24, /48). This machine, whose mail server may pass all mail on, has no such limit. */
  connectionsPerNetwork: number;
  messagesPerConnection: number;
  /** Messages of a network, in a minute or at once, to the mailbox that no token protects. */
  complaintsPerMinute: number;
  /** Recipients that a connection may name in vain. */
  refusedRecipients: number;
  /** Bytes of a message that are read; those beyond `maxInboundBytes` are dropped. */
  messageBytes: number;
  /** Without any byte from the client. */
  idleMs: number;
  /** From the connection to the first message, and from the start of each message to that of the next. */
  messageMs: number;
}

const defaultLimits: InboundLimits = {
  connections: 100,
  connectionsPerNetwork: 10,
  messagesPerConnection: 100,
  complaintsPerMinute: 60,
  refusedRecipients: 20,
  messageBytes: 10_000_000,
  idleMs: 60_000,
  messageMs: 5 * 60_000,
};

/** RFC 5321, section 4.5.3.1.4, has 512 with the line break, and more for parameters. */
const maxCommandLength = 2_048;
/** Time that connections get to finish when the server stops. */
const closeMs = 2_000;

interface Connection {
  /** Undefined for this machine. */
  network: string | undefined;
  refusedRecipients: number;
  /** A message is received or stored. */
  isTaking: boolean;
  deadline: NodeJS.Timeout;
}

/**
 * Takes returned mail, complaints and requests to unsubscribe, and sends nothing. Mailboxes prove by their tokens that a message of
 * ours named them; all others are refused before a body can be sent to them.
 */
export class InboundServer {
  readonly #options: InboundServerOptions;
  readonly #limits: InboundLimits;
  readonly #server: SMTPServer;
  readonly #connections = new Map<string, Connection>();
  readonly #storing = new Set<Promise<void>>();
  readonly #counts = createInboundCounts();
  readonly #complaintRate: ReturnType<typeof createRequestRate>;

  constructor(options: InboundServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#complaintRate = createRequestRate({
      perMinute: this.#limits.complaintsPerMinute,
      burstMs: 60_000,
      maxKeys: 10_000,
    });
    this.#server = this.#createServer();
    // Of clients that break off, or fail to agree on TLS; `listen` has those of listening.
    this.#server.on('error', () => undefined);
    // Some are told that there are too many; those beyond are not even accepted.
    this.#server.server.maxConnections = 2 * this.#limits.connections;
    this.#server.server.on('drop', () => (this.#counts.refusedConnections += 1));
  }

  /**
   * @returns the port
   * @throws InvalidConfig if the port is taken
   */
  async listen(): Promise<number> {
    const { host, port } = this.#options;
    this.#server.listen(port, host);
    try {
      await once(this.#server.server, 'listening');
    } catch (error) {
      throw new InvalidConfig(`SMTP_IN_PORT: nothing can listen on port ${port} of ${host}.`, {
        cause: error,
      });
    }
    return (this.#server.server.address() as AddressInfo).port;
  }

  get isListening(): boolean {
    return this.#server.server.listening;
  }

  collectMetrics(): Metric[] {
    return toInboundMetrics(this.#counts, this.#connections.size);
  }

  /** Takes no more connections, and resolves when all that was received is stored or refused. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(resolve));
    for (const connection of this.#server.connections)
      if (this.#connections.get(connection.id)?.isTaking !== true) connection.send(421, '4.3.2 Stopping.');
    await closed;
    await Promise.allSettled(this.#storing);
  }

  #createServer(): SMTPServer {
    const { name, certificate } = this.#options;
    const { messageBytes, idleMs } = this.#limits;
    const withoutTls = certificate === undefined ? ['STARTTLS'] : [];
    return new SMTPServer({
      name,
      heloResponse: '%s',
      ...certificate,
      hideSTARTTLS: certificate === undefined,
      authOptional: true,
      disabledCommands: ['AUTH', 'HELP', 'WIZ', 'SHELL', 'KILL', ...withoutTls],
      disableReverseLookup: true,
      logger: false,
      size: messageBytes,
      maxCommandLength,
      socketTimeout: idleMs,
      closeTimeout: closeMs,
      onConnect: (session, done) => settle(done, () => this.#open(session)),
      onMailFrom: (_address, session, done) => settle(done, () => this.#checkSender(session)),
      onRcptTo: ({ address }, session, done) => settle(done, () => this.#checkRecipient(address, session)),
      onData: (stream, session, done) =>
        settle(
          (error) => {
            done(error);
            // The rest of a message that is too big is not read, and must not be read as commands.
            if (error instanceof Refusal && error.responseCode === 552) this.#find(session.id)?.close();
          },
          () => this.#take(stream, session),
        ),
      onClose: ({ id }) => {
        clearTimeout(this.#connections.get(id)?.deadline);
        this.#connections.delete(id);
      },
    });
  }

  #open({ id, remoteAddress }: SMTPServerSession): void {
    const network = isLoopback(remoteAddress)
      ? undefined
      : (ipPrefixOf(remoteAddress, { ipv4: 24, ipv6: 48 }) ?? remoteAddress);
    const { connections, connectionsPerNetwork } = this.#limits;
    const ofNetwork = [...this.#connections.values()].filter((other) => other.network === network).length;
    if (
      this.#connections.size >= connections ||
      (network !== undefined && ofNetwork >= connectionsPerNetwork)
    ) {
      this.#counts.refusedConnections += 1;
      throw new Refusal(421, '4.7.0 Too many connections.');
    }
    const deadline = setTimeout(() => this.#find(id)?.send(421, '4.4.2 Too slow.'), this.#limits.messageMs);
    this.#connections.set(id, {
      network,
      refusedRecipients: 0,
      isTaking: false,
      deadline: deadline.unref(),
    });
  }

  #find(id: string) {
    return [...this.#server.connections].find((connection) => connection.id === id);
  }

  #checkSender({ transaction }: SMTPServerSession): void {
    if (transaction > this.#limits.messagesPerConnection)
      throw new Refusal(421, '4.7.0 Too many messages in one connection.');
  }

  async #checkRecipient(address: string, session: SMTPServerSession): Promise<void> {
    if (session.envelope.rcptTo.length > 0)
      throw new Refusal(452, '4.5.3 Each message has one recipient here.');
    const connection = this.#connections.get(session.id);
    if (await this.#isOurs(address)) {
      const isComplaint = mailboxIn(address) === complaintsMailbox;
      if (!isComplaint || connection?.network === undefined || this.#complaintRate(connection.network) === 0)
        return;
      this.#counts.refusedComplaints.rate += 1;
      throw new Refusal(451, '4.7.0 Too many complaints at once.');
    }
    this.#counts.refusedRecipients += 1;
    if (connection !== undefined) connection.refusedRecipients += 1;
    if ((connection?.refusedRecipients ?? 0) > this.#limits.refusedRecipients)
      throw new Refusal(421, '4.7.0 Too many unknown recipients.');
    throw new Refusal(550, '5.1.1 No such mailbox.');
  }

  /** The mailbox comes first: what it costs does not grow with the hosts that strangers name. */
  async #isOurs(address: string): Promise<boolean> {
    const { signer, isBounceHost } = this.#options;
    if (mailboxKindOf(mailboxIn(address), signer) === undefined) return false;
    // The package has turned the domain into Unicode.
    return await isBounceHost(toALabels(address.slice(address.lastIndexOf('@') + 1)));
  }

  async #take(stream: Readable, { id, envelope }: SMTPServerSession): Promise<void> {
    const connection = this.#connections.get(id);
    connection?.deadline.refresh();
    if (connection !== undefined) connection.isTaking = true;
    try {
      await this.#receive(stream, envelope);
    } finally {
      if (connection !== undefined) connection.isTaking = false;
    }
  }

  async #receive(stream: Readable, { mailFrom, rcptTo }: SMTPServerSession['envelope']): Promise<void> {
    const receivedAt = new Date();
    const mailbox = mailboxIn(rcptTo[0]!.address);
    // RFC 5321, section 4.4: the one field that the last server adds. The sender of reports is empty.
    const head = `Return-Path: <${mailFrom === false ? '' : mailFrom.address}>\r\n`;
    const { raw, droppedBytes, isWhole } = await readStart(stream, head, this.#limits.messageBytes);
    this.#counts.droppedBytes += droppedBytes;
    if (!isWhole) throw new Refusal(552, '5.3.4 Message too big.');
    await this.#store({ mailbox, raw, receivedAt });
    this.#counts.taken[mailboxKindOf(mailbox, this.#options.signer) ?? 'complaint'] += 1;
  }

  async #store(mail: InboundMail): Promise<void> {
    const stored = this.#options.store(mail);
    this.#storing.add(stored);
    try {
      await stored;
    } catch (error) {
      const isFull = error instanceof InboundFull;
      if (isFull && mail.mailbox === complaintsMailbox) this.#counts.refusedComplaints.full += 1;
      else {
        this.#counts.storeFailures += 1;
        this.#options.log.warn({ err: error }, 'returned mail not stored');
      }
      throw isFull ? new Refusal(451, '4.3.1 Too much mail waits here.') : error;
    } finally {
      this.#storing.delete(stored);
    }
  }
}

/** The local part, which is compared without case: mail servers may fold it. */
const mailboxIn = (address: string): string => address.slice(0, address.lastIndexOf('@')).toLowerCase();

/** A reply that says no. */
class Refusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, text: string) {
    super(text);
    this.responseCode = responseCode;
  }
}

/** Answers a command by what came of the work. An error that is not expected says nothing of itself: it may be tried again. */
function settle(done: (error?: Error | null) => void, work: () => Promise<void> | void): void {
  const answer = async () => {
    try {
      await work();
      return null;
    } catch (error) {
      return error instanceof Refusal ? error : new Refusal(451, '4.3.0 Try again later.');
    }
  };
  // oxlint-disable-next-line promise/no-callback-in-promise -- the package's interface wants a callback
  void answer().then((error) => done(error));
}
