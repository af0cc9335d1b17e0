// Long, because a dialog is one state machine: what a reply means depends on all that was said before.
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { OutgoingMessage, SmtpStage, TransportResult } from '../transports/transport.ts';
import { signIn } from './smtp-auth.ts';
import { cleanReplyText, type SmtpReply, SmtpReplyParser, toRejection } from './smtp-reply.ts';
import {
  rejectedBy,
  SmtpConnectError,
  tlsOptions,
  type SmtpServer,
  type SmtpTimeouts,
} from './smtp-server.ts';

/** The result of `SmtpConnection.send`. */
export interface SendReport {
  result: TransportResult;
  /**
   * Whether the connection was lost, or closed by 421, before the server had the text: if it had been idle before, it may
   * have been shut meanwhile, and a new one is worth a try.
   */
  isStale: boolean;
}

type Phase =
  /** Waiting for one reply outside a transaction: greeting, EHLO, STARTTLS, AUTH, RSET, QUIT. */
  | 'command'
  | 'idle'
  | 'mail'
  | 'rcpt'
  | 'data'
  /** The final dot has been handed to the socket. */
  | 'message'
  | 'closed';

/** One connection to one SMTP server; one transaction at a time, one recipient each. */
export class SmtpConnection {
  /** Finished transactions. */
  messages = 0;
  /** `performance.now()` when the current wait ends; Infinity while none. */
  deadline = Infinity;
  onClosed: () => void = () => undefined;

  #server: SmtpServer;
  #timeouts: SmtpTimeouts;
  #socket: Socket;
  #parser = new SmtpReplyParser();
  #phase: Phase = 'command';
  #extensions = new Map<string, string>();
  #isEncrypted = false;
  #waiting: { resolve: (reply: SmtpReply) => void; reject: (error: Error) => void } | undefined;
  #closeReason: string | undefined;

  // The transaction under way.
  #message: Buffer = Buffer.alloc(0);
  #envelope: [string, string, string] = ['', '', ''];
  #report: ((report: SendReport) => void) | undefined;
  #rejection: TransportResult | undefined;
  #isBodyLost = false;
  #isDraining = false;
  #phaseIsFresh = false;

  private constructor(server: SmtpServer, timeouts: SmtpTimeouts, socket: Socket) {
    this.#server = server;
    this.#timeouts = timeouts;
    this.#socket = socket;
  }

  /**
   * Connects, encrypts, signs in.
   * @throws SmtpConnectError
   */
  static async open(
    server: SmtpServer,
    timeouts: SmtpTimeouts,
    onCreated: (connection: SmtpConnection) => void,
  ): Promise<SmtpConnection> {
    const { host, port } = server;
    const socket = server.implicitTls
      ? connectTls({ host, port, ...tlsOptions(server) })
      : connectTcp({ host, port, noDelay: true });
    const connection = new SmtpConnection(server, timeouts, socket);
    onCreated(connection);
    try {
      connection.#deadlineIn(timeouts.connect);
      connection.#listen(socket);
      await connection.#connected(server.implicitTls ? 'secureConnect' : 'connect');
      await connection.#greet();
      return connection;
    } catch (error) {
      connection.destroy(error instanceof Error ? error.message : String(error));
      throw error instanceof SmtpConnectError
        ? error
        : new SmtpConnectError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  get isIdle(): boolean {
    return this.#phase === 'idle';
  }

  get isClosed(): boolean {
    return this.#phase === 'closed';
  }

  /** The largest message the server said it takes (RFC 1870), in bytes. */
  get sizeLimit(): number {
    const limit = Number(this.#extensions.get('SIZE') ?? '');
    return limit > 0 ? limit : Infinity;
  }

  /**
   * Hands one message over. The connection must be idle; `envelopeFrom` and `envelopeTo` must be checked
   * already; `message` must be dot-stuffed, 7 bit, and end with CRLF.
   */
  send({ envelopeFrom, envelopeTo, message }: OutgoingMessage, report: (report: SendReport) => void): void {
    const hasDsn = this.#extensions.has('DSN');
    const size = this.#extensions.has('SIZE') ? ` SIZE=${message.length}` : '';
    // RFC 3461: report failures only, and send back no more than the head.
    this.#envelope = [
      `MAIL FROM:<${envelopeFrom}>${size}${hasDsn ? ' RET=HDRS' : ''}\r\n`,
      `RCPT TO:<${envelopeTo}>${hasDsn ? ' NOTIFY=FAILURE' : ''}\r\n`,
      'DATA\r\n',
    ];
    this.#message = message;
    this.#report = report;
    this.#rejection = undefined;
    this.#isBodyLost = false;
    this.#isDraining = false;
    this.#phase = 'mail';
    this.#deadlineIn(this.#timeouts.command);
    const [mail, rcpt, data] = this.#envelope;
    this.#socket.write(this.#isPipelining ? mail + rcpt + data : mail, 'latin1');
  }

  /** Sends QUIT and closes; resolves when the connection is closed. */
  async quit(): Promise<void> {
    if (this.#phase === 'closed') return;
    try {
      await this.#command('QUIT', 2000);
    } catch {
      // The connection is closed already.
    }
    this.destroy('closed');
  }

  destroy(reason: string): void {
    this.#closeReason ??= reason;
    this.#socket.destroy();
    this.#close();
  }

  /** Called about once a second: ends what has taken too long. */
  checkDeadline(now: number): void {
    if (now < this.deadline) return;
    if (this.#phase === 'idle') {
      this.deadline = Infinity;
      void this.quit();
    } else {
      this.destroy(`timeout while waiting (${this.#phase})`);
    }
  }

  get #isPipelining(): boolean {
    return this.#extensions.has('PIPELINING');
  }

  #deadlineIn(ms: number): void {
    this.deadline = performance.now() + ms;
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => {
      this.#closeReason ??= describe(error);
    });
    socket.on('end', () => this.destroy('the server closed the connection'));
    socket.on('close', () => this.#close());
  }

  /** Resolves with the named event of the socket, rejects when it closes first. */
  async #connected(event: 'connect' | 'secureConnect'): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#socket.once(event, resolve);
      this.#waiting = { resolve: () => undefined, reject };
    });
    this.#waiting = undefined;
    this.#isEncrypted = event === 'secureConnect';
  }

  async #greet(): Promise<void> {
    const greeting = await this.#reply(this.#timeouts.command);
    if (greeting.code !== 220) throw rejectedBy('greeting', greeting);
    await this.#hello();
    if (!this.#isEncrypted && this.#extensions.has('STARTTLS') && this.#server.requireTls)
      await this.#startTls();
    if (!this.#isEncrypted && this.#server.requireTls) {
      throw new SmtpConnectError('The server offers no encryption (STARTTLS), and nothing is sent in clear.');
    }
    const { user, password = '' } = this.#server;
    if (user !== undefined) {
      const methods = (this.#extensions.get('AUTH') ?? '').split(/\s+/);
      const command = (line: string) => this.#command(line, this.#timeouts.command);
      await signIn(command, methods, { user, password });
    }
    this.#setIdle();
  }

  async #hello(): Promise<void> {
    const reply = await this.#command(`EHLO ${this.#server.clientName}`, this.#timeouts.command);
    this.#extensions.clear();
    if (reply.code !== 250) {
      const old = await this.#command(`HELO ${this.#server.clientName}`, this.#timeouts.command);
      if (old.code !== 250) throw rejectedBy('HELO', old);
      return;
    }
    for (const line of reply.lines.slice(1)) {
      const [, keyword = '', parameters = ''] = /^([\w-]+)[ =]?(.*)$/.exec(line.trim()) ?? [];
      this.#extensions.set(keyword.toUpperCase(), parameters.toUpperCase());
    }
  }

  async #startTls(): Promise<void> {
    const reply = await this.#command('STARTTLS', this.#timeouts.command);
    if (reply.code !== 220) throw rejectedBy('STARTTLS', reply);
    // Bytes that came in the clear behind the 220 would be taken for encrypted (CVE-2011-0411).
    if (this.#parser.isMidReply) throw new SmtpConnectError('The server spoke on after STARTTLS.');
    const plain = this.#socket;
    plain.removeAllListeners();
    this.#socket = connectTls({ socket: plain, ...tlsOptions(this.#server) });
    plain.on('error', (error) => this.#socket.destroy(error));
    this.#listen(this.#socket);
    this.#deadlineIn(this.#timeouts.connect);
    await this.#connected('secureConnect');
    await this.#hello();
  }

  #command(line: string, timeoutMs: number): Promise<SmtpReply> {
    const reply = this.#reply(timeoutMs);
    this.#socket.write(`${line}\r\n`, 'latin1');
    return reply;
  }

  #reply(timeoutMs: number): Promise<SmtpReply> {
    if (this.#phase === 'closed') return Promise.reject(new SmtpConnectError(this.#closeReason ?? 'closed'));
    this.#phase = 'command';
    this.#deadlineIn(timeoutMs);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  #read(chunk: Buffer): void {
    try {
      const replies = this.#parser.push(chunk);
      // One reply for each command outside a transaction; more of them cannot be trusted.
      if (this.#phase === 'command' && replies.length > 1) throw new Error('The server spoke out of turn.');
      for (const reply of replies) {
        // The text has just been written, so a reply in the same bytes was made up before.
        if (this.#phase === 'message' && this.#phaseIsFresh) throw new Error('The server spoke out of turn.');
        this.#take(reply);
      }
      this.#phaseIsFresh = false;
    } catch (error) {
      this.destroy(error instanceof Error ? error.message : String(error));
    }
  }

  #take(reply: SmtpReply): void {
    switch (this.#phase) {
      case 'command': {
        const waiting = this.#waiting;
        this.#waiting = undefined;
        waiting?.resolve(reply);
        return;
      }
      case 'mail':
        if (isGood(reply)) this.#next('rcpt', 1);
        else this.#reject('mail', reply);
        return;
      case 'rcpt':
        if (this.#rejection === undefined && !isGood(reply)) this.#reject('rcpt', reply);
        else this.#next('data', 2);
        return;
      case 'data':
        this.#takeDataReply(reply);
        return;
      case 'message':
        this.#takeMessageReply(reply);
        return;
      case 'idle':
        // 421 before it closes, most likely: no new transaction may start here.
        this.destroy(`the server said ${reply.code} out of turn`);
        return;
      case 'closed':
    }
  }

  /** Goes on to the phase whose command is `#envelope[index]`, written now unless it was pipelined. */
  #next(phase: Phase, index: number): void {
    this.#phase = phase;
    this.#deadlineIn(this.#timeouts.command);
    if (!this.#isPipelining) this.#socket.write(this.#envelope[index]!, 'latin1');
  }

  /** Notes the rejection; with pipelining the remaining replies still have to be read (RFC 2920 section 3.1). */
  #reject(stage: SmtpStage, reply: SmtpReply): void {
    this.#rejection = toRejection(stage, reply);
    if (reply.code === 421) {
      this.#finish(this.#rejection, true);
      this.destroy('the server said 421');
    } else if (!this.#isPipelining) {
      void this.#reset();
    } else if (stage === 'mail') {
      this.#phase = 'rcpt';
    } else {
      this.#phase = 'data';
    }
  }

  #takeDataReply(reply: SmtpReply): void {
    if (reply.code === 354) {
      if (this.#rejection === undefined) {
        this.#writeMessage();
      } else {
        // Nobody to deliver to, yet the server waits for a text: give it an empty one.
        this.#isDraining = true;
        this.#phase = 'message';
        this.#deadlineIn(this.#timeouts.command);
        this.#socket.write('.\r\n', 'latin1');
      }
      return;
    }
    this.#rejection ??= isGood(reply)
      ? toRejection('data', { ...reply, code: 503 })
      : toRejection('data', reply);
    if (reply.code === 421) {
      this.#finish(this.#rejection, true);
      this.destroy('the server said 421');
    } else {
      void this.#reset();
    }
  }

  #writeMessage(): void {
    this.#phase = 'message';
    this.#phaseIsFresh = true;
    this.#deadlineIn(this.#timeouts.endOfData);
    this.#socket.cork();
    this.#socket.write(this.#message);
    // The kernel failed the write: the dot, being last, cannot have left. Under TLS that cannot be told, so not claimed.
    this.#socket.write('.\r\n', 'latin1', (error) => {
      if (error !== undefined && error !== null && !this.#isEncrypted && isKernelError(error))
        this.#isBodyLost = true;
    });
    this.#socket.uncork();
  }

  #takeMessageReply(reply: SmtpReply): void {
    if (this.#isDraining) {
      this.#finish(this.#rejection!, false);
      this.#setIdle();
      return;
    }
    if (reply.code >= 200 && reply.code < 300) {
      this.#finish({ outcome: 'accepted', code: reply.code, reply: cleanReplyText(reply.text) }, false);
    } else {
      this.#finish(toRejection('message', reply), false);
    }
    if (reply.code === 421) this.destroy('the server said 421');
    else this.#setIdle();
  }

  async #reset(): Promise<void> {
    const rejection = this.#rejection!;
    try {
      await this.#command('RSET', this.#timeouts.command);
    } catch {
      // The rejection stands, and the close is reported separately.
    }
    this.#finish(rejection, false);
    if (this.#phase === 'command') this.#setIdle();
  }

  #finish(result: TransportResult, isStale: boolean): void {
    const report = this.#report;
    this.#report = undefined;
    this.#message = noBytes;
    this.messages++;
    // The pool may hand over the next message right here, so the phase must be final: see #setIdle's callers.
    if (report !== undefined) queueMicrotask(() => report({ result, isStale }));
  }

  #setIdle(): void {
    this.#phase = 'idle';
    this.#deadlineIn(this.#timeouts.idle);
  }

  #close(): void {
    if (this.#phase === 'closed') return;
    const phase = this.#phase;
    this.#phase = 'closed';
    this.deadline = Infinity;
    const reason = cleanReplyText(this.#closeReason ?? 'the connection was lost');
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(new SmtpConnectError(reason));
    if (this.#report !== undefined) {
      if (this.#rejection !== undefined) this.#finish(this.#rejection, false);
      else if (phase === 'message' && !this.#isBodyLost) {
        this.#finish({ outcome: 'uncertain', reason: `after the final dot: ${reason}` }, false);
      } else this.#finish({ outcome: 'interrupted', stage: phase as SmtpStage, reason }, phase !== 'message');
    }
    this.onClosed();
  }
}

const noBytes = Buffer.alloc(0);

function isGood(reply: SmtpReply): boolean {
  return reply.code >= 200 && reply.code < 300;
}

function isKernelError(error: Error): boolean {
  return 'syscall' in error && (error.syscall === 'write' || error.syscall === 'writev');
}

function describe(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? `${error.code} ${error.message}` : error.message;
}
