import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { signIn } from './smtp-auth.ts';
import { cleanReplyText, type SmtpReply, SmtpReplyParser } from './smtp-reply.ts';
import {
  rejectedBy,
  SmtpConnectError,
  tlsOptions,
  type SmtpServer,
  type SmtpTimeouts,
} from './smtp-server.ts';

/**
 * The socket of one connection, from greeting to sign-in and QUIT. It counts replies: a reply that arrives before its
 * command was written is not trusted, and ends the session.
 */
export class SmtpSession {
  /** `performance.now()` at which the current wait times out; Infinity if there is none. */
  deadline = Infinity;
  isEncrypted = false;
  isClosed = false;
  /** Extensions from the server's reply to EHLO, in upper case, with their parameters. */
  readonly extensions = new Map<string, string>();
  /** Called for each reply to commands sent with `write`. */
  onReply: (reply: SmtpReply) => void = () => undefined;
  /** Called after all replies that arrived together, to write what they require. */
  onRead: () => void = () => undefined;
  onClosed: (reason: string) => void = () => undefined;
  /** Ended by a reply that was invalid or belonged to no command. A 421 may arrive at any time (RFC 5321 section 3.8). */
  isOutOfStep = false;

  readonly #server: SmtpServer;
  readonly #timeouts: SmtpTimeouts;
  #socket: Socket;
  #parser = new SmtpReplyParser();
  /** Number of outstanding replies; the greeting is the first one. */
  #awaited = 1;
  #waiting: { resolve: (reply: SmtpReply) => void; reject: (error: Error) => void } | undefined;
  #closeReason: string | undefined;
  #quitting: Promise<void> | undefined;

  constructor(server: SmtpServer, timeouts: SmtpTimeouts) {
    this.#server = server;
    this.#timeouts = timeouts;
    const { host, port, implicitTls, lookup } = server;
    const target = { host, port, ...(lookup === undefined ? {} : { lookup }) };
    this.#socket = implicitTls
      ? connectTls({ ...target, ...tlsOptions(server) })
      : connectTcp({ ...target, noDelay: true });
    this.deadlineIn(timeouts.connect);
    this.#listen(this.#socket);
  }

  /**
   * Connects, starts TLS and signs in.
   * @throws SmtpConnectError
   */
  async open(): Promise<void> {
    try {
      await this.#connected(this.#server.implicitTls ? 'secureConnect' : 'connect');
      await this.#greet();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.destroy(reason);
      throw error instanceof SmtpConnectError ? error : new SmtpConnectError(reason, { cause: error });
    }
  }

  deadlineIn(ms: number): void {
    this.deadline = performance.now() + ms;
  }

  /**
   * Writes all parts at once, Latin-1.
   * @param replies  number of replies that the server has to send for them
   * @param onLost   called if the kernel did not accept the last part, so that the server cannot have received it
   */
  write(parts: readonly (string | Buffer)[], replies: number, onLost?: () => void): void {
    this.#awaited += replies;
    const socket = this.#socket;
    socket.cork();
    for (let index = 0; index < parts.length - 1; index++) socket.write(parts[index]!, 'latin1');
    socket.write(parts.at(-1)!, 'latin1', (error) => {
      // Under TLS this is unknown.
      if (onLost !== undefined && !this.isEncrypted && isKernelError(error)) onLost();
    });
    socket.uncork();
  }

  /** Sends QUIT and closes; resolves when the connection is closed. */
  quit(): Promise<void> {
    return (this.#quitting ??= this.#quit());
  }

  destroy(reason: string): void {
    this.#closeReason ??= reason;
    this.#socket.destroy();
    this.#close();
  }

  async #quit(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.#command('QUIT', 2000);
    } catch {
      // The connection is closed already.
    }
    this.destroy('closed');
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => {
      this.#closeReason ??= describe(error);
    });
    socket.on('end', () => this.destroy('the server closed the connection'));
    socket.on('close', () => this.#close());
  }

  /** Resolves on the given event of the socket; rejects if the socket closes first. */
  async #connected(event: 'connect' | 'secureConnect'): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#socket.once(event, resolve);
      this.#waiting = { resolve: () => undefined, reject };
    });
    this.#waiting = undefined;
    this.isEncrypted = event === 'secureConnect';
  }

  async #greet(): Promise<void> {
    const greeting = await this.#reply(this.#timeouts.command);
    if (greeting.code !== 220) throw rejectedBy('greeting', greeting);
    await this.#hello();
    if (!this.isEncrypted && this.extensions.has('STARTTLS') && this.#server.requireTls)
      await this.#startTls();
    if (!this.isEncrypted && this.#server.requireTls) {
      throw new SmtpConnectError('The server offers no encryption (STARTTLS), and nothing is sent in clear.');
    }
    const { user, password = '' } = this.#server;
    if (user !== undefined) {
      const methods = (this.extensions.get('AUTH') ?? '').split(/\s+/);
      const command = (line: string) => this.#command(line, this.#timeouts.command);
      await signIn(command, methods, { user, password });
    }
  }

  async #hello(): Promise<void> {
    const reply = await this.#command(`EHLO ${this.#server.clientName}`, this.#timeouts.command);
    this.extensions.clear();
    if (reply.code !== 250) {
      const old = await this.#command(`HELO ${this.#server.clientName}`, this.#timeouts.command);
      if (old.code !== 250) throw rejectedBy('HELO', old);
      return;
    }
    for (const line of reply.lines.slice(1)) {
      const [, keyword = '', parameters = ''] = /^([\w-]+)[ =]?(.*)$/.exec(line.trim()) ?? [];
      this.extensions.set(keyword.toUpperCase(), parameters.toUpperCase());
    }
  }

  /** Plaintext after the 220 would be read as encrypted data (CVE-2011-0411): `#read` ends the session if there is any. */
  async #startTls(): Promise<void> {
    const reply = await this.#command('STARTTLS', this.#timeouts.command);
    if (reply.code !== 220) throw rejectedBy('STARTTLS', reply);
    const plain = this.#socket;
    plain.removeAllListeners();
    this.#socket = connectTls({ socket: plain, ...tlsOptions(this.#server) });
    plain.on('error', (error) => this.#socket.destroy(error));
    this.#listen(this.#socket);
    this.deadlineIn(this.#timeouts.connect);
    await this.#connected('secureConnect');
    await this.#hello();
  }

  #command(line: string, timeoutMs: number): Promise<SmtpReply> {
    const reply = this.#reply(timeoutMs);
    if (!this.isClosed) this.write([`${line}\r\n`], 1);
    return reply;
  }

  #reply(timeoutMs: number): Promise<SmtpReply> {
    if (this.isClosed) return Promise.reject(new SmtpConnectError(this.#closeReason ?? 'closed'));
    this.deadlineIn(timeoutMs);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  #read(chunk: Buffer): void {
    const due = this.#awaited;
    const replies = this.#parser.push(chunk);
    // An incomplete unexpected reply counts too.
    const isOutOfTurn = replies.length > due || (replies.length === due && this.#parser.isMidReply);
    const problem = this.#parser.problem ?? (isOutOfTurn ? 'The server spoke out of turn.' : undefined);
    this.isOutOfStep = problem !== undefined && replies[due]?.code !== 421;
    if (this.#waiting !== undefined) {
      if (problem !== undefined) this.destroy(problem);
      else if (replies[0] !== undefined) this.#resolve(replies[0]);
      return;
    }
    for (let index = 0; index < replies.length && index < due && !this.isClosed; index++) {
      this.#awaited -= 1;
      this.onReply(replies[index]!);
    }
    if (this.isClosed) return;
    if (problem !== undefined) this.destroy(problem);
    else if (replies.length > 0) this.onRead();
  }

  #resolve(reply: SmtpReply): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#awaited -= 1;
    waiting?.resolve(reply);
  }

  #close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.deadline = Infinity;
    const reason = cleanReplyText(this.#closeReason ?? 'the connection was lost');
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(new SmtpConnectError(reason));
    this.onClosed(reason);
  }
}

const isKernelError = (error: Error | null | undefined): boolean =>
  error instanceof Error && 'syscall' in error && ['write', 'writev'].includes(String(error.syscall));

const describe = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? `${error.code} ${error.message}` : error.message;
