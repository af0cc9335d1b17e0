import { hostname } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import type { MailTransport, OutgoingMessage, TransportResult } from '../transports/transport.ts';
import { SmtpConnection } from './smtp-connection.ts';
import type { SmtpServer, SmtpTimeouts } from './smtp-server.ts';

export interface SmtpPoolOptions {
  /** `smtp[s]://user:pass@host:port`; default ports 587 and 465. */
  url: string;
  /** Maximum of open connections. */
  connections: number;
  /** Default 100, for a loopback relay 10,000. */
  messagesPerConnection?: number;
  timeouts?: Partial<SmtpTimeouts>;
  /** Extra trust settings, e.g. `ca` of a private relay. */
  tls?: Pick<ConnectionOptions, 'ca' | 'servername'>;
  /** Name given in EHLO. Default: this machine's name, when it has a full one. */
  clientName?: string;
  /** Default: for every relay that is not on loopback. True asks a loopback relay for STARTTLS too. */
  requireTls?: true;
  /** Milliseconds to the second attempt after a failed one, doubled up to 30 s. Default 500. */
  backOffMs?: number;
}

/** The server may take 10 minutes to answer to the text (RFC 5321, section 4.5.3.2.6). */
const defaultTimeouts: SmtpTimeouts = { connect: 10_000, command: 60_000, endOfData: 600_000, idle: 30_000 };
const maxBackOffMs = 30_000;

/**
 * A pool of SMTP connections, opened when needed. A relay that cannot be reached fails the waiting messages at once
 * (`not_sent`); later ones wait for the next attempt, which back-off spaces out.
 * @throws TypeError when the URL is no smtp(s) address
 */
export const createSmtpPool = (options: SmtpPoolOptions): MailTransport => new SmtpPool(options);

class SmtpPool implements MailTransport {
  readonly connections: number;
  readonly #server: SmtpServer;
  readonly #timeouts: SmtpTimeouts;
  readonly #perConnection: number;
  readonly #backOffMs: number;
  readonly #open = new Set<SmtpConnection>();
  readonly #idle: SmtpConnection[] = [];
  readonly #queue: Job[] = [];
  #opening = 0;
  #failures = 0;
  #retryAt = 0;
  #retryTimer: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #isClosing = false;
  #onDrained: () => void = () => undefined;

  constructor(options: SmtpPoolOptions) {
    this.connections = options.connections;
    this.#server = parseServer(options);
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#perConnection = options.messagesPerConnection ?? (isLoopback(this.#server.host) ? 10_000 : 100);
    this.#backOffMs = options.backOffMs ?? 500;
  }

  send(message: OutgoingMessage): Promise<TransportResult> {
    if (this.#isClosing) return Promise.resolve({ outcome: 'not_sent', reason: 'The transport is closed.' });
    const problem = checkEnvelope(message);
    if (problem !== undefined) return Promise.resolve(problem);
    return new Promise((resolve) => {
      this.#queue.push({ message: makeStrict(message), resolve, isSecondTry: false });
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#retryTimer);
    this.#failWaiting('The transport is closing.');
    if (!this.#isQuiet()) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    }
    await Promise.all([...this.#open].map((connection) => connection.quit()));
    clearInterval(this.#sweep);
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const connection = this.#idle.pop();
      if (connection === undefined) break;
      if (connection.isIdle) this.#assign(connection, this.#queue.shift()!);
    }
    const wanted = Math.min(this.#queue.length - this.#opening, this.connections - this.#open.size);
    if (wanted <= 0) return;
    const wait = this.#retryAt - performance.now();
    if (wait > 0) {
      this.#retryTimer ??= setTimeout(() => {
        this.#retryTimer = undefined;
        this.#dispatch();
      }, wait);
      return;
    }
    // After a failure one connection goes ahead to see whether the relay is back.
    const count = this.#failures > 0 ? Math.min(wanted, this.#opening === 0 ? 1 : 0) : wanted;
    for (let index = 0; index < count; index++) void this.#connect();
  }

  async #connect(): Promise<void> {
    this.#opening++;
    this.#sweep ??= setInterval(() => this.#checkDeadlines(), sweepMs(this.#timeouts));
    let opened: SmtpConnection | undefined;
    try {
      const connection = await SmtpConnection.open(this.#server, this.#timeouts, (next) => {
        opened = next;
        this.#open.add(next);
      });
      this.#failures = 0;
      this.#opening--;
      connection.onClosed = () => this.#drop(connection);
      if (connection.isIdle) this.#idle.push(connection);
      else this.#drop(connection);
    } catch (error) {
      this.#opening--;
      if (opened !== undefined) this.#open.delete(opened);
      this.#backOff();
      // A relay may just allow fewer connections than we wanted: those that are up go on.
      if (this.#open.size === this.#opening)
        this.#failWaiting(error instanceof Error ? error.message : String(error));
      this.#stopSweep();
    }
    this.#settle();
  }

  #backOff(): void {
    const now = performance.now();
    // Connections that were tried at the same time and failed together are one failure.
    if (now < this.#retryAt) return;
    // Jitter keeps many processes from connecting at the same moment.
    const base = this.#backOffMs * (0.75 + Math.random() / 2);
    this.#retryAt = now + Math.min(maxBackOffMs, base * 2 ** this.#failures);
    this.#failures++;
  }

  #failWaiting(reason: string): void {
    for (const job of this.#queue.splice(0)) job.resolve({ outcome: 'not_sent', reason });
  }

  #assign(connection: SmtpConnection, job: Job): void {
    if (job.message.message.length > connection.sizeLimit) {
      this.#idle.push(connection);
      job.resolve(
        rejectLocally('The message is larger than the relay takes.', 552, '5.3.4', 'too_big', 'mail'),
      );
      return;
    }
    const isFirst = connection.messages === 0;
    connection.send(job.message, ({ result, isStale }) => {
      // A connection that had been idle may have been shut meanwhile. Nothing left us, so a fresh one may try, once.
      if (isStale && !isFirst && !job.isSecondTry) this.#queue.unshift({ ...job, isSecondTry: true });
      else job.resolve(result);
      if (connection.isIdle) {
        if (connection.messages >= this.#perConnection) void connection.quit();
        else this.#idle.push(connection);
      }
      this.#settle();
    });
  }

  #drop(connection: SmtpConnection): void {
    this.#open.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#stopSweep();
    this.#settle();
  }

  #stopSweep(): void {
    if (this.#open.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #checkDeadlines(): void {
    const now = performance.now();
    for (const connection of this.#open) connection.checkDeadline(now);
  }

  #settle(): void {
    if (this.#queue.length > 0) this.#dispatch();
    if (this.#isClosing && this.#isQuiet()) this.#onDrained();
  }

  #isQuiet(): boolean {
    return (
      this.#opening === 0 && [...this.#open].every((connection) => connection.isIdle || connection.isClosed)
    );
  }
}

interface Job {
  message: OutgoingMessage;
  resolve: (result: TransportResult) => void;
  isSecondTry: boolean;
}

function sweepMs({ connect, command, endOfData, idle }: SmtpTimeouts): number {
  return Math.max(5, Math.min(1000, Math.min(connect, command, endOfData, idle) / 4));
}

function parseServer(options: SmtpPoolOptions): SmtpServer {
  const url = URL.parse(options.url);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new TypeError('An SMTP relay is written as smtp://user:password@host:port or smtps://…');
  }
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  const implicitTls = url.protocol === 'smtps:';
  return {
    host,
    port: Number(url.port) || (implicitTls ? 465 : 587),
    implicitTls,
    requireTls: !implicitTls && (options.requireTls === true || !isLoopback(host)),
    user: url.username === '' ? undefined : decodeURIComponent(url.username),
    password: url.username === '' ? undefined : decodeURIComponent(url.password),
    clientName: options.clientName ?? defaultClientName(),
    tls: options.tls ?? {},
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** RFC 5321 section 4.1.4: a full name, or else an address literal. */
function defaultClientName(): string {
  const name = hostname();
  return /^[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(name) ? name : '[127.0.0.1]';
}

/** The last wall before the wire: nothing that could end a command or add a parameter. */
function checkEnvelope({ envelopeFrom, envelopeTo }: OutgoingMessage): TransportResult | undefined {
  const pattern = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i;
  if (envelopeFrom.length > 254 || !pattern.test(envelopeFrom)) {
    return rejectLocally('The envelope sender is not a plain mailbox.', 553, '5.1.7', 'protocol', 'mail');
  }
  if (envelopeTo.length > 254 || !pattern.test(envelopeTo)) {
    return rejectLocally(
      'The envelope recipient is not a plain mailbox.',
      553,
      '5.1.3',
      'address_hard',
      'rcpt',
    );
  }
  return undefined;
}

function rejectLocally(
  text: string,
  code: number,
  enhanced: string,
  bounceClass: 'address_hard' | 'protocol' | 'too_big',
  stage: 'mail' | 'rcpt',
): TransportResult {
  return { outcome: 'rejected', permanent: true, code, enhanced, text, stage, class: bounceClass };
}

/**
 * Messages of our own builder pass as they are. Others are made strict: CRLF only, dots doubled, CRLF at
 * the end (RFC 5321 sections 2.3.8 and 4.5.2).
 */
function makeStrict(outgoing: OutgoingMessage): OutgoingMessage {
  if (outgoing.isStrict === true) return outgoing;
  const text = outgoing.message.toString('latin1').replaceAll(/\r\n|\r|\n/g, '\r\n');
  const whole = text.endsWith('\r\n') ? text : `${text}\r\n`;
  return { ...outgoing, message: Buffer.from(whole.replaceAll(/^\./gm, '..'), 'latin1') };
}
