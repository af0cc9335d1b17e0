import type { SmtpStage } from '../rejections/rejection.ts';
import type { TransportResult } from '../transports/transport.ts';
import type { SmtpJob } from './smtp-message.ts';
import { cleanReplyText, type SmtpRejection, type SmtpReply, toRejection } from './smtp-reply.ts';
import type { ReleaseSlot } from '../transports/text-slots.ts';

/** Capabilities that the server announced, and the name that this client announced. */
export interface SmtpDialect {
  clientName: string;
  /** Commands may be written before earlier ones are answered (RFC 2920). */
  isPipelining: boolean;
  hasDsn: boolean;
  hasSize: boolean;
  /** Maximum message size (RFC 1870), in bytes. */
  sizeLimit: number;
}

export function readDialect(clientName: string, extensions: ReadonlyMap<string, string>): SmtpDialect {
  const limit = Number(extensions.get('SIZE') ?? '');
  return {
    clientName,
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
  /** The server takes nothing more over this connection. */
  isSessionOver = false;
  /** Whether the server has accepted a sender over this connection. */
  hasAccepted: boolean;
  readonly #dialect: SmtpDialect;
  #rejection: SmtpRejection | undefined;

  constructor(job: SmtpJob, dialect: SmtpDialect, place: TransactionPlace, hasAccepted: boolean) {
    this.job = job;
    this.#dialect = dialect;
    this.place = place;
    this.hasAccepted = hasAccepted;
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
      this.#rejection ??= this.#reject(toSmtpStage(stage), reply);
      this.#endRejected();
      this.isConnectionAtFault = stage !== 'message';
      return 'the server said 421';
    }
    if (reply.code >= 300 && reply.code < 400 && stage !== 'data') return this.#loseStep(reply);
    if (stage === 'data') return this.#takeDataReply(reply);
    if (stage !== 'mail' && stage !== 'rcpt') return this.#takeLastReply(reply);
    // The remaining replies still have to be read (RFC 2920 section 3.1).
    if (!isGood(reply)) this.#rejection ??= this.#reject(stage, reply);
    else if (stage === 'mail') this.hasAccepted = true;
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
    if (this.#rejection !== undefined && this.place === 'first' && !isOutOfStep) this.#endRejected();
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
      this.#rejection ??= this.#reject('data', reply);
      if (this.#endsSession) {
        this.#endRejected();
        return sessionOver;
      }
      this.stage = 'reset';
    } else if (this.#rejection === undefined) this.stage = 'text';
    // There is no recipient, but the server still waits for a text: it gets an empty one.
    else if (this.#rejection.result.stage === 'rcpt') this.stage = 'drain';
    else {
      this.#endRejected();
      // A recipient was accepted, of this message or an earlier one, and would receive the empty text.
      return 'the server rejected the sender and waits for a text';
    }
    return undefined;
  }

  #takeLastReply(reply: SmtpReply): string | undefined {
    if (this.#rejection === undefined) {
      const result = isGood(reply)
        ? { outcome: 'accepted' as const, reference: cleanReplyText(reply.text) }
        : this.#reject('message', reply).result;
      this.#end(result, false);
      return undefined;
    }
    // RSET is never rejected (RFC 5321 section 4.1.1.5).
    if (this.stage === 'reset_reply' && !isGood(reply)) return this.#loseStep(reply);
    this.#endRejected();
    if (this.isSessionOver) return sessionOver;
    return this.#isAboutAnother ? 'the server is in the middle of another message' : undefined;
  }

  #reject(stage: SmtpStage, reply: SmtpReply): SmtpRejection {
    const { envelopeFrom, envelopeTo, fromDomain } = this.job.message;
    const { clientName } = this.#dialect;
    return toRejection(stage, reply, { sender: envelopeFrom, recipient: envelopeTo, fromDomain, clientName });
  }

  /**
   * Whether the server takes no more messages over this connection: after a reply that speaks of the session, and after any
   * transient one to MAIL if it took some before, because that names neither recipient nor text.
   */
  get #endsSession(): boolean {
    const { result, subject } = this.#rejection!;
    if (result.stage === 'message') return false;
    return subject === 'session' || (result.stage === 'mail' && !result.permanent && this.hasAccepted);
  }

  #endRejected(): void {
    const { result } = this.#rejection!;
    this.isSessionOver = this.#endsSession;
    // Over a new connection, the server says this of itself.
    const isServerBusy =
      this.isSessionOver && result.stage === 'mail' && !result.permanent && !this.hasAccepted;
    this.#end(
      isServerBusy ? { ...result, isServerBusy } : result,
      this.isSessionOver || this.#isAboutAnother,
    );
  }

  /** "Bad sequence" (503) after a rejected text: the server is still in the middle of the previous message. */
  get #isAboutAnother(): boolean {
    return this.place === 'follower' && this.#rejection?.result.code === 503;
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

const sessionOver = 'the server takes no more messages over this connection';

const toSmtpStage = (stage: Stage): SmtpStage =>
  stage === 'mail' || stage === 'rcpt' || stage === 'message' ? stage : 'data';

const isGood = (reply: SmtpReply): boolean => reply.code >= 200 && reply.code < 300;
