import type { SmtpStage, TransportResult } from '../transports/transport.ts';
import type { SmtpJob } from './smtp-message.ts';
import { cleanReplyText, type SmtpReply, toRejection } from './smtp-reply.ts';
import type { ReleaseSlot } from '../transports/text-slots.ts';

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
  | 'drain_reply'
  | 'reset_reply';

/**
 * Whether the connection had carried others before. A follower's envelope left in the same write as the end of the
 * transaction before.
 */
export type TransactionPlace = 'first' | 'later' | 'follower';

/** What becomes of one message, reply by reply. */
export class SmtpTransaction {
  readonly job: SmtpJob;
  readonly place: TransactionPlace;
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

  constructor(job: SmtpJob, dialect: SmtpDialect, place: TransactionPlace) {
    this.job = job;
    this.#dialect = dialect;
    this.place = place;
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
    return this.stage === 'message' || this.stage === 'drain_reply' || this.stage === 'reset_reply';
  }

  /** @returns why the connection cannot go on, if so */
  take(reply: SmtpReply): string | undefined {
    const { stage } = this;
    if (reply.code === 421) {
      // The server closes, whatever the command was.
      this.#end(this.#rejection ?? toRejection(toSmtpStage(stage), reply), stage !== 'message');
      return 'the server said 421';
    }
    if (reply.code >= 300 && reply.code < 400 && stage !== 'data') return this.#loseStep(reply);
    if (stage === 'data') return this.#takeDataReply(reply);
    if (stage !== 'mail' && stage !== 'rcpt') return this.#takeLastReply(reply);
    // The remaining replies still have to be read (RFC 2920 section 3.1).
    if (!isGood(reply)) this.#rejection ??= toRejection(stage, reply);
    this.stage = stage === 'mail' ? 'rcpt' : 'data';
    return undefined;
  }

  /**
   * The connection is gone.
   * @param isOutOfStep  whose replies the last ones were cannot be told
   */
  lose(reason: string, isOutOfStep: boolean): void {
    const { stage } = this;
    // Behind others, a rejection counts once the replies came to their end in step: it may be about one of those.
    if (this.#rejection !== undefined && this.place === 'first' && !isOutOfStep)
      this.#end(this.#rejection, false);
    else if (stage !== 'message')
      this.#end({ outcome: 'interrupted', stage: toSmtpStage(stage), reason }, true);
    else if (this.isTextLost) {
      this.release?.();
      this.release = undefined;
      this.#end({ outcome: 'interrupted', stage, reason }, false);
    } else this.#end({ outcome: 'uncertain', reason: `after the final dot: ${reason}` }, false);
  }

  #takeDataReply(reply: SmtpReply): string | undefined {
    // Only 354 is good: this one belongs to a command before.
    if (isGood(reply)) return this.#loseStep(reply);
    if (reply.code !== 354) {
      this.#rejection ??= toRejection('data', reply);
      this.stage = 'reset';
    } else if (this.#rejection === undefined) this.stage = 'text';
    // With nobody to deliver to, the server still waits for a text: it gets an empty one.
    else if (this.#rejection.stage === 'rcpt') this.stage = 'drain';
    else {
      this.#end(this.#rejection, this.#isAboutAnother);
      // A recipient was taken, of this message or of one before, and would get the empty text.
      return 'the server rejected the sender and waits for a text';
    }
    return undefined;
  }

  #takeLastReply(reply: SmtpReply): string | undefined {
    if (this.#rejection === undefined) {
      const result = isGood(reply)
        ? { outcome: 'accepted' as const, reference: cleanReplyText(reply.text) }
        : toRejection('message', reply);
      this.#end(result, false);
      return undefined;
    }
    // RSET is never rejected (RFC 5321 section 4.1.1.5).
    if (this.stage === 'reset_reply' && !isGood(reply)) return this.#loseStep(reply);
    this.#end(this.#rejection, this.#isAboutAnother);
    return this.#isAboutAnother ? 'the server is in the middle of another message' : undefined;
  }

  /** "Bad sequence" behind a text that was rejected: it left the server in the middle of that message. */
  get #isAboutAnother(): boolean {
    return this.place === 'follower' && this.#rejection?.code === 503;
  }

  /** Whose replies these are cannot be told any more: no rejection counts. */
  #loseStep({ code }: SmtpReply): string {
    this.#rejection = undefined;
    return `the server said ${code} out of turn`;
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
