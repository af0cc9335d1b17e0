import { readSender } from '../mime/read-message.ts';
import { notSent, unsent, withdrawn } from '../transports/handover.ts';
import { TextSlots } from '../transports/text-slots.ts';
import type {
  Handover,
  MailTransport,
  OutgoingMessage,
  TransportResult,
  TransportUsage,
} from '../transports/transport.ts';
import { ConnectBackOff } from './connect-back-off.ts';
import { Outages } from './outages.ts';
import { SmtpConnection, type SmtpConnectionOwner } from './smtp-connection.ts';
import { checkEnvelope, checkSize, toSmtpMessage, type SmtpJob } from './smtp-message.ts';
import {
  defaultTimeouts,
  isLoopback,
  parseServer,
  type SmtpServer,
  type SmtpServerOptions,
  type SmtpTimeouts,
} from './smtp-server.ts';
import type { SmtpTransaction } from './smtp-transaction.ts';

export interface SmtpPoolOptions extends SmtpServerOptions {
  /** `smtp[s]://user:pass@host:port`; default ports 587 and 465. */
  url: string;
  /** Maximum number of open connections, and of sent texts without a settled result. */
  connections: number;
  /** Default 100, for a loopback relay 10,000. */
  messagesPerConnection?: number;
  timeouts?: Partial<SmtpTimeouts>;
  /** Milliseconds between the first failed connection attempt and the next one, doubled up to 5 s. Default 500. */
  backOffMs?: number;
  /** `sender`: the From address is the envelope sender, for servers that take no other one. Default: the one of the message. */
  envelope?: 'ours' | 'sender';
}

/**
 * Creates a pool of SMTP connections, opened on demand. If the relay cannot be reached, queued messages fail immediately
 * (`not_sent`); later ones wait for the next connection attempt, which back-off delays.
 * @throws TypeError if the URL is not an smtp(s) address
 */
export const createSmtpPool = (options: SmtpPoolOptions): MailTransport => new SmtpPool(options);

class SmtpPool implements MailTransport, SmtpConnectionOwner {
  readonly capacity: number;
  readonly slots: TextSlots;
  readonly #connections: number;
  readonly #server: SmtpServer;
  readonly #timeouts: SmtpTimeouts;
  readonly #perConnection: number;
  readonly #backOff: ConnectBackOff;
  readonly #isFromSender: boolean;
  readonly #outages = new Outages();
  /** During an outage, the only connection that gets a message. */
  #probe: SmtpConnection | undefined;
  readonly #open = new Set<SmtpConnection>();
  readonly #idle: SmtpConnection[] = [];
  readonly #queue: SmtpJob[] = [];
  #opening = 0;
  #retryTimer: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;
  /** A follower was returned: no more followers are sent until the server responds quickly again. */
  #isSlow = false;
  #ignoresGroups = false;
  #isClosing = false;
  #onDrained: () => void = () => undefined;

  constructor(options: SmtpPoolOptions) {
    this.#connections = options.connections;
    this.capacity = 2 * options.connections;
    this.slots = new TextSlots(options.connections);
    this.#server = parseServer(options.url, options);
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#perConnection = options.messagesPerConnection ?? (isLoopback(this.#server.host) ? 10_000 : 100);
    this.#backOff = new ConnectBackOff(options.backOffMs ?? 500);
    this.#isFromSender = options.envelope === 'sender';
  }

  get usage(): TransportUsage {
    const connections = this.#open.size - this.#opening;
    const { count: slots, inUse: slotsInUse, heldLong: slotsHeldLong } = this.slots;
    return { connections, slots, slotsInUse, slotsHeldLong };
  }

  send(given: OutgoingMessage): Promise<Handover> {
    const message = this.#isFromSender ? { ...given, envelopeFrom: readSender(given) } : given;
    if (this.#isClosing) return Promise.resolve(notSent('The transport is closed.'));
    const problem = checkEnvelope(message);
    if (problem !== undefined) return Promise.resolve(unsent(problem));
    return new Promise((resolve) => {
      const { mayLeave = always, leavesAlone = false } = message;
      const job = {
        message: toSmtpMessage(message),
        mayLeave,
        leavesAlone,
        resolve,
        isSecondTry: false,
        needsFresh: false,
      };
      this.#queue.push(job);
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#retryTimer);
    this.#failWaiting('The transport is closing.');
    // No message depends on connections that are still opening.
    for (const connection of this.#open)
      if (connection.isOpening) connection.destroy('The transport is closing.');
    if (!this.#isQuiet()) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    }
    await Promise.all([...this.#open].map((connection) => connection.quit()));
    clearInterval(this.#sweep);
  }

  takeFollower(connection: SmtpConnection): SmtpJob | undefined {
    if (this.#isSlow || this.#ignoresGroups || connection.messages + 1 >= this.#perConnection)
      return undefined;
    return this.#takeJob(connection, 'follower');
  }

  onResult(transaction: SmtpTransaction, canRetry: boolean, openedAt: number): void {
    const { job, release, isSessionOver } = transaction;
    const result = this.#watchOutages(transaction.result!, openedAt);
    // Each of these retries ends a connection that had carried other messages, so there are few.
    if (canRetry && isSessionOver) this.#putBack({ ...job, needsFresh: true });
    else if (!canRetry || job.isSecondTry)
      job.resolve(release === undefined ? unsent(result) : { result, settle: release });
    // The end of the text was not sent, so the message is retried once over a new connection.
    else this.#putBack({ ...job, isSecondTry: true, needsFresh: true });
  }

  onReturned(job: SmtpJob): void {
    this.#putBack(job);
  }

  onReply(isQuick: boolean): void {
    this.#isSlow = !isQuick;
  }

  onGroupIgnored(): void {
    this.#ignoresGroups = true;
  }

  onIdle(connection: SmtpConnection): void {
    if (connection.messages >= this.#perConnection) void connection.quit();
    else this.#idle.push(connection);
    this.#proceed();
  }

  onClosed(connection: SmtpConnection): void {
    this.#open.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#stopSweep();
    this.#proceed();
  }

  #putBack(job: SmtpJob): void {
    if (this.#isClosing) job.resolve(notSent('The transport is closing.'));
    else this.#queue.unshift(job);
  }

  /** Numbers the outage of an uncertain result. A server that takes texts and loses them again gets them more slowly. */
  #watchOutages(result: TransportResult, openedAt: number): TransportResult {
    if (isReplyToText(result)) {
      if (!this.#outages.isOver) this.#backOff.reset();
      this.#outages.end();
    }
    if (result.outcome !== 'uncertain') return result;
    const { number, isRepeated } = this.#outages.recordLoss(openedAt);
    if (isRepeated) this.#backOff.recordFailure();
    return { ...result, outage: number };
  }

  #dispatch(): void {
    const isOutage = !this.#outages.isOver;
    if (isOutage && this.#probe !== undefined && !this.#probe.isIdle && !this.#probe.isClosed) return;
    for (let index = this.#idle.length - 1; index >= 0 && this.#queue.length > 0; index--) {
      const connection = this.#idle[index]!;
      // A connection that has sent QUIT stays in the list until it is closed.
      const job = connection.isIdle ? this.#takeJob(connection) : undefined;
      if (job === undefined) continue;
      this.#idle.splice(index, 1);
      connection.send(job);
      if (!isOutage) continue;
      this.#probe = connection;
      return;
    }
    const wanted = Math.min(this.#queue.length - this.#opening, this.#connections - this.#open.size);
    if (wanted <= 0) return;
    const { waitMs } = this.#backOff;
    if (waitMs > 0) {
      this.#retryTimer ??= setTimeout(() => {
        this.#retryTimer = undefined;
        this.#dispatch();
      }, waitMs);
      return;
    }
    // After a failure, a single connection tests whether the relay is reachable again, and takes texts.
    const count =
      isOutage || this.#backOff.isFailing ? Math.min(wanted, this.#opening === 0 ? 1 : 0) : wanted;
    for (let index = 0; index < count; index++) void this.#connect();
  }

  /** @returns the next message for a connection; a new connection first gets messages that require one */
  #takeJob(connection: SmtpConnection, place?: 'follower'): SmtpJob | undefined {
    for (;;) {
      const needsFresh = (job: SmtpJob) => job.needsFresh;
      let index = connection.isFresh ? this.#queue.findIndex(needsFresh) : -1;
      if (index < 0) index = this.#queue.findIndex((job) => !job.needsFresh);
      if (index < 0) return undefined;
      // It waits for a connection that has finished its message, and is sent before all others there.
      if (place === 'follower' && this.#queue[index]!.leavesAlone) return undefined;
      const [job] = this.#queue.splice(index, 1);
      if (!job!.mayLeave()) {
        job!.resolve(unsent(withdrawn));
        continue;
      }
      const problem = checkSize(job!.message, connection.sizeLimit);
      if (problem === undefined) return job;
      job!.resolve(unsent(problem));
    }
  }

  async #connect(): Promise<void> {
    this.#opening++;
    this.#sweep ??= setInterval(() => this.#checkDeadlines(), sweepMs(this.#timeouts));
    const connection = new SmtpConnection(this.#server, this.#timeouts, this);
    this.#open.add(connection);
    if (!this.#outages.isOver) this.#probe = connection;
    try {
      await connection.open();
      if (this.#outages.isOver) this.#backOff.reset();
      this.#opening--;
      this.#idle.push(connection);
    } catch (error) {
      this.#opening--;
      this.#open.delete(connection);
      this.#backOff.recordFailure();
      // The relay may allow fewer connections than wanted: the open ones then take all messages.
      for (const job of this.#queue) job.needsFresh = false;
      if (this.#open.size === this.#opening)
        this.#failWaiting(error instanceof Error ? error.message : String(error));
      this.#stopSweep();
    }
    this.#proceed();
  }

  #failWaiting(reason: string): void {
    for (const job of this.#queue.splice(0)) job.resolve(notSent(reason));
  }

  /** Removes withdrawn messages from the queue; it may take long until a free connection would check them. */
  #dropWithdrawn(): void {
    const jobs = this.#queue.splice(0);
    for (const job of jobs) {
      if (job.mayLeave()) this.#queue.push(job);
      else job.resolve(unsent(withdrawn));
    }
  }

  #stopSweep(): void {
    if (this.#open.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #checkDeadlines(): void {
    const now = performance.now();
    for (const connection of this.#open) connection.checkDeadline(now);
    this.#dropWithdrawn();
    this.#proceed();
  }

  #proceed(): void {
    if (this.#queue.length > 0) this.#dispatch();
    if (this.#isClosing && this.#isQuiet()) this.#onDrained();
  }

  #isQuiet(): boolean {
    return (
      this.#opening === 0 && [...this.#open].every((connection) => connection.isIdle || connection.isClosed)
    );
  }
}

const always = (): boolean => true;

/** A server that says 421 is about to close the connection. */
const isReplyToText = (result: TransportResult): boolean =>
  result.outcome === 'accepted' ||
  (result.outcome === 'rejected' && result.stage === 'message' && result.code !== 421);

const sweepMs = ({ connect, command, endOfData, idle, slot, follower }: SmtpTimeouts): number =>
  Math.max(5, Math.min(1000, Math.min(connect, command, endOfData, idle, slot, follower) / 4));
