import type { SmtpStage, TransportResult } from '../transports/transport.ts';
import type { SmtpJob } from './smtp-message.ts';
import { cleanReplyText, type SmtpReply, toRejection } from './smtp-reply.ts';
import type { ReleaseSlot } from '../transports/text-slots.ts';

/** Capabilities that the server announced. */
export interface SmtpDialect {
  /** Commands may be written before earlier ones are answered (RFC 2920). */
  isPipelining: boolean;
  hasDsn: boolean;
  hasSize: boolean;
  /** Maximum message size (RFC 1870), in bytes. */
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
  /** The server is ready for the text, which waits for a slot. */
  | 'text'
  /** The text was written. */
  | 'message'
  /** Rejected; an empty text (`drain`) or RSET (`reset`) has to be written to end the transaction. */
  | 'drain'
  | 'reset'
  /** The empty text or RSET was written. */
  | 'drain_reply'
  | 'reset_reply';

/**
 * Whether the connection has carried earlier transactions. The envelope of a follower was sent in the same write as the
 * end of the previous transaction.
 */
export type TransactionPlace = 'first' | 'later' | 'follower';

/** State of one message's transaction, advanced by each reply. */
export class SmtpTransaction {
  readonly job: SmtpJob;
  readonly place: TransactionPlace;
  stage: Stage = 'mail';
  /** Set while the server may have received the text. */
  release: ReleaseSlot | undefined;
  /** The end of the text was not sent. */
  isTextLost = false;
  /** Set when the transaction has ended. */
  result: TransportResult | undefined;
  /** Set at the end if the message is not at fault; a new connection may succeed if this one had carried other messages. */
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
    // RFC 3461: report failures only, and return only the header of the message.
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

  /** @returns why the connection must be closed; undefined if it can still be used */
  take(reply: SmtpReply): string | undefined {
    const { stage } = this;
    if (reply.code === 421) {
      // The server closes the connection, whatever the command was.
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
   * Ends the transaction after the connection was lost.
   * @param isOutOfStep  whether the last replies cannot be matched to commands
   */
  lose(reason: string, isOutOfStep: boolean): void {
    const { stage } = this;
    // After other messages, a rejection may be about one of those: it only counts once all replies have arrived in step.
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
    // DATA succeeds only with 354: a 2xx reply belongs to an earlier command.
    if (isGood(reply)) return this.#loseStep(reply);
    if (reply.code !== 354) {
      this.#rejection ??= toRejection('data', reply);
      this.stage = 'reset';
    } else if (this.#rejection === undefined) this.stage = 'text';
    // There is no recipient, but the server still waits for a text: it gets an empty one.
    else if (this.#rejection.stage === 'rcpt') this.stage = 'drain';
    else {
      this.#end(this.#rejection, this.#isAboutAnother);
      // A recipient was accepted, of this message or an earlier one, and would receive the empty text.
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

  /** "Bad sequence" (503) after a rejected text: the server is still in the middle of the previous message. */
  get #isAboutAnother(): boolean {
    return this.place === 'follower' && this.#rejection?.code === 503;
  }

  /** Replies can no longer be matched to commands: no rejection counts. */
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
