import type { SmtpStage, TransportResult } from '../transports/transport.ts';
import type { SmtpJob } from './smtp-message.ts';
import { cleanReplyText, type SmtpReply, toRejection } from './smtp-reply.ts';
import type { ReleaseSlot } from './text-slots.ts';

/** What the server said it can do. */
export interface SmtpDialect {
  /** Commands may be written before those ahead of them are answered (RFC 2920). */
  isPipelining: boolean;
  hasDsn: boolean;
  hasSize: boolean;
  /** The largest message it takes (RFC 1870), in bytes. */
  sizeLimit: number;
}

export function readDialect(extensions: ReadonlyMap<string, string>): SmtpDialect {
  const limit = Number(extensions.get('SIZE') ?? '');
  return {
    isPipelining: extensions.has('PIPELINING'),
    hasDsn: extensions.has('DSN'),
    hasSize: extensions.has('SIZE'),
    sizeLimit: limit > 0 ? limit : Infinity,
  };
}

/** What the next reply, or the next write, is about. */
type Stage =
  | 'mail'
  | 'rcpt'
  | 'data'
  /** The server wants the text, which waits for a slot. */
  | 'text'
  /** The text was written. */
  | 'message'
  /** Rejected, and something has to be written to end it: an empty text, or RSET. */
  | 'drain'
  | 'reset'
  /** That was written. */
  | 'ended';

/** What becomes of one message, reply by reply. */
export class SmtpTransaction {
  readonly job: SmtpJob;
  /** Its envelope left in the same write as the end of the transaction before. */
  readonly isFollower: boolean;
  stage: Stage = 'mail';
  /** Set while the text may have arrived. */
  release: ReleaseSlot | undefined;
  /** The end of the text never left. */
  isTextLost = false;
  /** Set at the end. */
  result: TransportResult | undefined;
  /** At the end: nothing speaks against the message, and a new connection is worth a try if this one had carried others. */
  isConnectionAtFault = false;
  readonly #dialect: SmtpDialect;
  #rejection: (TransportResult & { outcome: 'rejected' }) | undefined;

  constructor(job: SmtpJob, dialect: SmtpDialect, isFollower: boolean) {
    this.job = job;
    this.#dialect = dialect;
    this.isFollower = isFollower;
  }

  /** MAIL, RCPT, DATA. */
  get commands(): string[] {
    const { envelopeFrom, envelopeTo, text } = this.job.message;
    const { hasDsn, hasSize } = this.#dialect;
    const size = hasSize ? ` SIZE=${text.length}` : '';
    // RFC 3461: report failures only, and send back no more than the head.
    return [
      `MAIL FROM:<${envelopeFrom}>${size}${hasDsn ? ' RET=HDRS' : ''}\r\n`,
      `RCPT TO:<${envelopeTo}>${hasDsn ? ' NOTIFY=FAILURE' : ''}\r\n`,
      'DATA\r\n',
    ];
  }

  /** Whether the next reply is the last one. */
  get isEnding(): boolean {
    return this.stage === 'message' || this.stage === 'ended';
  }

  /** @returns why the connection cannot go on, if so */
  take(reply: SmtpReply): string | undefined {
    const { stage } = this;
    if (reply.code === 421) {
      // The server closes, whatever the command was.
      this.#end(this.#rejection ?? toRejection(toSmtpStage(stage), reply), stage !== 'message');
      return 'the server said 421';
    }
    if (reply.code >= 300 && reply.code < 400 && stage !== 'data')
      return `the server said ${reply.code} out of turn`;
    if (stage === 'mail' || stage === 'rcpt') this.#takeEnvelopeReply(stage, reply);
    else if (stage === 'data') this.#takeDataReply(reply);
    else return this.#takeLastReply(reply);
    return undefined;
  }

  /** The connection is gone. */
  lose(reason: string): void {
    const { stage } = this;
    // Behind another text, a rejection counts once the replies came to their end in step: it may be about that text.
    if (this.#rejection !== undefined && !this.isFollower) this.#end(this.#rejection, false);
    else if (stage !== 'message')
      this.#end({ outcome: 'interrupted', stage: toSmtpStage(stage), reason }, true);
    else if (this.isTextLost) {
      this.release?.();
      this.release = undefined;
      this.#end({ outcome: 'interrupted', stage, reason }, false);
    } else this.#end({ outcome: 'uncertain', reason: `after the final dot: ${reason}` }, false);
  }

  /** With pipelining the remaining replies still have to be read (RFC 2920 section 3.1). */
  #takeEnvelopeReply(stage: 'mail' | 'rcpt', reply: SmtpReply): void {
    if (!isGood(reply)) this.#rejection ??= toRejection(stage, reply);
    if (this.#rejection !== undefined && !this.#dialect.isPipelining) this.stage = 'reset';
    else this.stage = stage === 'mail' ? 'rcpt' : 'data';
  }

  #takeDataReply(reply: SmtpReply): void {
    if (reply.code === 354) {
      // With nobody to deliver to, the server still waits for a text: it gets an empty one.
      this.stage = this.#rejection === undefined ? 'text' : 'drain';
      return;
    }
    this.#rejection ??= toRejection('data', isGood(reply) ? { ...reply, code: 503 } : reply);
    this.stage = 'reset';
  }

  #takeLastReply(reply: SmtpReply): string | undefined {
    // "Bad sequence" is about another message, whose rejected text left the server in the middle of it.
    const isOutOfStep = this.isFollower && this.#rejection?.code === 503;
    if (this.#rejection !== undefined) this.#end(this.#rejection, isOutOfStep);
    else if (isGood(reply)) {
      this.#end({ outcome: 'accepted', code: reply.code, reply: cleanReplyText(reply.text) }, false);
    } else this.#end(toRejection('message', reply), false);
    return isOutOfStep ? 'the server is in the middle of another message' : undefined;
  }

  #end(result: TransportResult, isConnectionAtFault: boolean): void {
    this.result = result;
    this.isConnectionAtFault = isConnectionAtFault;
  }
}

function toSmtpStage(stage: Stage): SmtpStage {
  return stage === 'mail' || stage === 'rcpt' || stage === 'message' ? stage : 'data';
}

function isGood(reply: SmtpReply): boolean {
  return reply.code >= 200 && reply.code < 300;
}
