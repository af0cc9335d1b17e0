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

const defaultTimeouts: SmtpTimeouts = { connect: 10_000, command: 60_000, endOfData: 300_000, idle: 30_000 };
const maxBackOffMs = 30_000;

/**
 * A pool of SMTP connections, opened when needed. A relay that cannot be reached fails what is waiting at once
 * (`not_sent`); what comes later waits for the next attempt, which back-off spaces out.
 * @throws TypeError when the URL is no smtp(s) address
 */
export function createSmtpPool(options: SmtpPoolOptions): MailTransport {
  const server = parseServer(options);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const perConnection = options.messagesPerConnection ?? (isLoopback(server.host) ? 10_000 : 100);
  const connections = new Set<SmtpConnection>();
  const idle: SmtpConnection[] = [];
  const queue: Job[] = [];
  let opening = 0;
  let failures = 0;
  let retryAt = 0;
  let retryTimer: NodeJS.Timeout | undefined;
  let sweep: NodeJS.Timeout | undefined;
  let isClosing = false;
  let onDrained: () => void = () => undefined;

  function dispatch(): void {
    while (queue.length > 0) {
      const connection = idle.pop();
      if (connection === undefined) break;
      if (connection.isIdle) assign(connection, queue.shift()!);
    }
    const wanted = Math.min(queue.length - opening, options.connections - connections.size);
    if (wanted <= 0) return;
    const wait = retryAt - performance.now();
    if (wait > 0) {
      retryTimer ??= setTimeout(() => {
        retryTimer = undefined;
        dispatch();
      }, wait);
      return;
    }
    // After a failure one connection goes ahead to see whether the relay is back.
    const count = failures > 0 ? Math.min(wanted, opening === 0 ? 1 : 0) : wanted;
    for (let index = 0; index < count; index++) void open();
  }

  async function open(): Promise<void> {
    opening++;
    sweep ??= setInterval(checkDeadlines, sweepMs(timeouts));
    let opened: SmtpConnection | undefined;
    try {
      const connection = await SmtpConnection.open(server, timeouts, (next) => {
        opened = next;
        connections.add(next);
      });
      failures = 0;
      opening--;
      connection.onClosed = () => drop(connection);
      if (connection.isIdle) idle.push(connection);
      else drop(connection);
    } catch (error) {
      opening--;
      if (opened !== undefined) connections.delete(opened);
      const now = performance.now();
      // Connections that were tried at the same time and failed together are one failure.
      if (now >= retryAt) {
        // Jitter keeps many processes from knocking at the same moment.
        const base = (options.backOffMs ?? 500) * (0.75 + Math.random() / 2);
        retryAt = now + Math.min(maxBackOffMs, base * 2 ** failures);
        failures++;
      }
      const reason = error instanceof Error ? error.message : String(error);
      // A relay may just allow fewer connections than we wanted: those that are up go on.
      if (connections.size === opening)
        for (const job of queue.splice(0)) job.resolve({ outcome: 'not_sent', reason });
      stopSweep();
    }
    settle();
  }

  function assign(connection: SmtpConnection, job: Job): void {
    if (job.message.message.length > connection.sizeLimit) {
      idle.push(connection);
      job.resolve(
        rejectLocally('The message is larger than the relay takes.', 552, '5.3.4', 'too_big', 'mail'),
      );
      return;
    }
    const isFirst = connection.messages === 0;
    connection.send(job.message, ({ result, isStale }) => {
      // A connection that had been idle may have been shut meanwhile. Nothing left us, so a fresh one may try, once.
      if (isStale && !isFirst && !job.isSecondTry) queue.unshift({ ...job, isSecondTry: true });
      else job.resolve(result);
      if (connection.isIdle) {
        if (connection.messages >= perConnection) void connection.quit();
        else idle.push(connection);
      }
      settle();
    });
  }

  function drop(connection: SmtpConnection): void {
    connections.delete(connection);
    const index = idle.indexOf(connection);
    if (index >= 0) idle.splice(index, 1);
    stopSweep();
    settle();
  }

  function stopSweep(): void {
    if (connections.size > 0) return;
    clearInterval(sweep);
    sweep = undefined;
  }

  function checkDeadlines(): void {
    const now = performance.now();
    for (const connection of connections) connection.checkDeadline(now);
  }

  function settle(): void {
    if (queue.length > 0) dispatch();
    if (isClosing && isQuiet()) onDrained();
  }

  function isQuiet(): boolean {
    return opening === 0 && [...connections].every((connection) => connection.isIdle || connection.isClosed);
  }

  return {
    connections: options.connections,
    send: (message) => {
      if (isClosing) return Promise.resolve({ outcome: 'not_sent', reason: 'The transport is closed.' });
      const problem = checkEnvelope(message);
      if (problem !== undefined) return Promise.resolve(problem);
      return new Promise((resolve) => {
        queue.push({ message: makeStrict(message), resolve, isSecondTry: false });
        dispatch();
      });
    },
    close: async () => {
      isClosing = true;
      clearTimeout(retryTimer);
      for (const job of queue.splice(0))
        job.resolve({ outcome: 'not_sent', reason: 'The transport is closing.' });
      if (!isQuiet()) {
        await new Promise<void>((resolve) => {
          onDrained = resolve;
        });
      }
      await Promise.all([...connections].map((connection) => connection.quit()));
      clearInterval(sweep);
    },
  };
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
 * What our own builder wrote passes as it is. Anything else is made strict: CRLF only, dots doubled, CRLF at
 * the end (RFC 5321 sections 2.3.8 and 4.5.2).
 */
function makeStrict(outgoing: OutgoingMessage): OutgoingMessage {
  if (outgoing.isStrict === true) return outgoing;
  const text = outgoing.message.toString('latin1').replaceAll(/\r\n|\r|\n/g, '\r\n');
  const whole = text.endsWith('\r\n') ? text : `${text}\r\n`;
  return { ...outgoing, message: Buffer.from(whole.replaceAll(/^\./gm, '..'), 'latin1') };
}
