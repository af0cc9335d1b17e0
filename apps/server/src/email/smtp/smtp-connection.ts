import { withdrawn } from '../transports/handover.ts';
import { stuffDots, type SmtpJob } from './smtp-message.ts';
import type { SmtpReply } from './smtp-reply.ts';
import type { SmtpServer, SmtpTimeouts } from './smtp-server.ts';
import { SmtpSession } from './smtp-session.ts';
import { readDialect, SmtpTransaction, type SmtpDialect } from './smtp-transaction.ts';
import type { ReleaseSlot, TextSlots } from '../transports/text-slots.ts';

/** The interface of the pool for its connections. */
export interface SmtpConnectionOwner {
  readonly slots: TextSlots;
  /** @returns a message whose envelope can be sent in the same write as the end of the previous one */
  takeFollower(connection: SmtpConnection): SmtpJob | undefined;
  /**
   * @param canRetry  the connection had carried other messages, and a new one may succeed
   * @param openedAt  `performance.now()` at which the connection was opened
   */
  onResult(transaction: SmtpTransaction, canRetry: boolean, openedAt: number): void;
  /** Returns a follower that was not processed: the message before it was answered late, or never. */
  onReturned(job: SmtpJob): void;
  /** The reply to the end of a transaction has arrived, or is late. */
  onReply(isQuick: boolean): void;
  /** The server ignores commands that are sent in one write with the end of a text. */
  onGroupIgnored(): void;
  onIdle(connection: SmtpConnection): void;
  onClosed(connection: SmtpConnection): void;
}

/**
 * Maximum bytes of a text that is sent with a follower. Without one it is known whether a lost connection has lost the
 * text, and for longer texts one more write does not matter.
 */
const groupLimit = 65_536;

/**
 * One connection to an SMTP server: sequential transactions with one recipient each. The end of a transaction (text and
 * final dot, or RSET) and the envelope of the next one are sent in one write (RFC 2920 section 3.1).
 */
export class SmtpConnection {
  /** Number of finished transactions. */
  messages = 0;
  isIdle = false;
  isOpening = true;
  #openedAt = 0;
  readonly #session: SmtpSession;
  readonly #timeouts: SmtpTimeouts;
  readonly #owner: SmtpConnectionOwner;
  readonly #clientName: string;
  #dialect: SmtpDialect;
  #current: SmtpTransaction | undefined;
  #follower: SmtpTransaction | undefined;
  /** When the end of the current transaction was written. */
  #endedAt = 0;
  /** The server waits for a message that was moved to another connection. */
  #isRetiring = false;
  #hasReported = false;
  /** Whether the server has accepted a sender over this connection. */
  #hasAccepted = false;

  constructor(server: SmtpServer, timeouts: SmtpTimeouts, owner: SmtpConnectionOwner) {
    this.#timeouts = timeouts;
    this.#owner = owner;
    this.#session = new SmtpSession(server, timeouts);
    this.#clientName = server.clientName;
    this.#dialect = readDialect(this.#clientName, new Map());
  }

  /**
   * Connects, starts TLS and signs in.
   * @throws SmtpConnectError
   */
  async open(): Promise<void> {
    const session = this.#session;
    await session.open();
    session.onReply = (reply) => this.#take(reply);
    session.onRead = () => this.#onRead();
    session.onClosed = (reason) => this.#close(reason);
    this.#dialect = readDialect(this.#clientName, session.extensions);
    this.isOpening = false;
    this.#openedAt = performance.now();
    this.#setIdle();
  }

  get isClosed(): boolean {
    return this.#session.isClosed;
  }

  /** Whether it is idle and has carried no message yet. */
  get isFresh(): boolean {
    return this.isIdle && this.messages === 0;
  }

  /** Maximum message size in bytes. */
  get sizeLimit(): number {
    return this.#dialect.sizeLimit;
  }

  /** Starts the transaction of one message. The connection must be idle. */
  send(job: SmtpJob): void {
    this.isIdle = false;
    const place = this.messages === 0 ? 'first' : 'later';
    this.#current = new SmtpTransaction(job, this.#dialect, place, this.#hasAccepted);
    const { commands } = this.#current;
    if (this.#dialect.isPipelining) this.#session.write([commands.join('')], commands.length);
    else this.#session.write([commands[0]!], 1);
    this.#session.deadlineIn(this.#timeouts.command);
  }

  /** Sends QUIT and closes the connection. */
  async quit(): Promise<void> {
    this.isIdle = false;
    await this.#session.quit();
  }

  destroy(reason: string): void {
    this.#session.destroy(reason);
  }

  /** Handles expired timeouts; called several times a second. */
  checkDeadline(now: number): void {
    if (this.#follower !== undefined && now - this.#endedAt >= this.#timeouts.follower) {
      this.#owner.onReply(false);
      this.#returnFollower();
    }
    if (now < this.#session.deadline) return;
    const transaction = this.#current;
    if (this.isIdle) {
      void this.quit();
    } else if (transaction?.stage === 'text') {
      const reason = 'No text may leave before results of earlier messages are settled.';
      transaction.result = { outcome: 'withdrawn', reason };
      this.#report(transaction);
      this.#session.destroy(reason);
    } else {
      if (transaction?.place === 'follower' && transaction.stage === 'mail') this.#owner.onGroupIgnored();
      this.#session.destroy(`timeout while waiting (${transaction?.stage ?? 'command'})`);
    }
  }

  #take(reply: SmtpReply): void {
    const transaction = this.#current!;
    this.#session.deadlineIn(this.#timeouts.command);
    if (transaction.isEnding)
      this.#owner.onReply(performance.now() - this.#endedAt < this.#timeouts.follower);
    const problem = transaction.take(reply);
    if (transaction.result !== undefined) this.#report(transaction);
    if (problem !== undefined) this.#session.destroy(problem);
    else if (transaction.result === undefined) return;
    else if (this.#isRetiring) this.#session.destroy('the server waits for another message');
    else {
      this.#current = this.#follower;
      this.#follower = undefined;
    }
  }

  #onRead(): void {
    if (!this.#hasReported) {
      this.#advance();
      return;
    }
    // Callers that await the result run first, so that their next message can be part of the next write.
    this.#hasReported = false;
    queueMicrotask(this.#advanceLater);
  }

  readonly #advanceLater = (): void => process.nextTick(this.#advance);

  /** Writes what the last replies require. */
  readonly #advance = (): void => {
    const transaction = this.#current;
    if (this.isClosed) return;
    if (transaction === undefined) {
      this.#setIdle();
      this.#owner.onIdle(this);
    } else if (transaction.stage === 'text') {
      this.#session.deadlineIn(this.#timeouts.slot);
      this.#owner.slots.request(this.#writeText);
    } else if (transaction.stage === 'drain') this.#writeEnd(transaction, '.\r\n');
    else if (transaction.stage === 'reset') this.#writeEnd(transaction, 'RSET\r\n');
    else if (!this.#dialect.isPipelining)
      this.#session.write([transaction.commands[transaction.stage === 'rcpt' ? 1 : 2]!], 1);
  };

  readonly #writeText = (release: ReleaseSlot): void => {
    const transaction = this.#current!;
    if (!transaction.job.mayLeave()) {
      release();
      this.#withdraw(transaction);
      return;
    }
    const { message } = transaction.job;
    transaction.stage = 'message';
    transaction.release = release;
    this.#endedAt = performance.now();
    this.#session.deadlineIn(this.#timeouts.endOfData);
    const follower = message.text.length <= groupLimit ? this.#takeFollower() : [];
    // With a follower, possibly only its envelope was lost.
    const onLost = follower.length > 0 ? undefined : () => (transaction.isTextLost = true);
    const parts = [stuffDots(message), `.\r\n${follower.join('')}`];
    this.#session.write(parts, 1 + follower.length, onLost);
  };

  /** Closes the connection: the server waits for a text, and would accept an empty one as the message. */
  #withdraw(transaction: SmtpTransaction): void {
    transaction.result = withdrawn;
    this.#report(transaction);
    this.#session.destroy('the message was taken back');
  }

  #writeEnd(transaction: SmtpTransaction, end: string): void {
    transaction.stage = transaction.stage === 'drain' ? 'drain_reply' : 'reset_reply';
    this.#endedAt = performance.now();
    const follower = this.#takeFollower();
    this.#session.write([end + follower.join('')], 1 + follower.length);
  }

  /** @returns the commands of a following message, if there is one */
  #takeFollower(): string[] {
    const job = this.#dialect.isPipelining ? this.#owner.takeFollower(this) : undefined;
    if (job === undefined) return [];
    const hasAccepted = this.#hasAccepted || this.#current!.hasAccepted;
    this.#follower = new SmtpTransaction(job, this.#dialect, 'follower', hasAccepted);
    return this.#follower.commands;
  }

  #returnFollower(): void {
    const { job } = this.#follower!;
    this.#follower = undefined;
    this.#isRetiring = true;
    this.#owner.onReturned(job);
  }

  #report(transaction: SmtpTransaction): void {
    const canRetry = transaction.isConnectionAtFault && this.messages > 0;
    this.messages += 1;
    this.#hasAccepted ||= transaction.hasAccepted;
    this.#current = undefined;
    this.#hasReported = true;
    this.#owner.onResult(transaction, canRetry, this.#openedAt);
  }

  #setIdle(): void {
    this.isIdle = true;
    this.#session.deadlineIn(this.#timeouts.idle);
  }

  #close(reason: string): void {
    this.isIdle = false;
    this.#owner.slots.cancel(this.#writeText);
    if (this.#current !== undefined) {
      this.#current.lose(reason, this.#session.isOutOfStep);
      this.#report(this.#current);
    }
    if (this.#follower !== undefined) this.#returnFollower();
    this.#owner.onClosed(this);
  }
}
