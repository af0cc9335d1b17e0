import { describeSendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { BounceClass } from '@reachout/contract/statuses.ts';
import type { SmtpStage } from '../rejections/rejection.ts';

/** The result of one message. */
export type TransportResult =
  /**
   * `reference` identifies the message at the receiving side: the reply to its text, which contains the queue id, or an
   * id. Null if there is none.
   */
  | { outcome: 'accepted'; reference: string | null }
  | {
      outcome: 'rejected';
      permanent: boolean;
      code: number;
      enhanced: string | null;
      text: string;
      stage: SmtpStage;
      class: BounceClass;
      /**
       * A new connection got this transient reply before it named a recipient: the server takes nothing for now, which
       * says nothing about the message.
       */
      isServerBusy?: true;
      /** Why the message was rejected without asking the mail server; the reply is then the one a server would give. */
      local?: SendError;
    }
  /** There was no connection; this says nothing about the message. */
  | { outcome: 'not_sent'; reason: string }
  /** Withdrawn before its text was sent: by the caller (`mayLeave`), or because no text slot was free in time. */
  | { outcome: 'withdrawn'; reason: string }
  /** An established connection was lost at this stage, before the server had received the text. */
  | { outcome: 'interrupted'; stage: SmtpStage; reason: string }
  /**
   * The connection was lost after the final dot: the server may or may not have accepted the message. Results with the same
   * `outage` have one cause; without a number the cause is its own.
   */
  | {
      outcome: 'uncertain';
      reason: string;
      outage?: number;
      /** This attempt sent nothing: an earlier one may have been accepted (`OutgoingMessage.repeat`). */
      isUnsent?: true;
    };

export interface OutgoingMessage {
  envelopeFrom: string;
  envelopeTo: string;
  /** Domain of the From address, by which replies that speak of the sender are recognized. */
  fromDomain?: string;
  message: Buffer;
  /** Where the body starts in a strict `message`, and a promise that this body is canonical (relaxed, RFC 6376 section 3.4.4). */
  bodyOffset?: number;
  /** Promises that `message` has only CRLF line breaks, ends with one, and has no line starting with a dot; saves scans. */
  isStrict?: true;
  /** Called when the message is dequeued, and again before its text is sent; false withdraws it. */
  mayLeave?: () => boolean;
  /**
   * Set if an earlier attempt lost its connection. No part of the message is then sent in one write with the text of
   * another one: the reply to that text could be lost with the connection, and its recipient would get a second copy.
   */
  leavesAlone?: boolean;
  /**
   * Set if it is not known whether an earlier attempt was accepted. A transport that can find out does so first. Without
   * `mayRepeat`, it then sends nothing.
   */
  repeat?: { mayRepeat: boolean; /** Of the first attempt. */ since: Date } | undefined;
}

/**
 * Changes a built message before it leaves, such as signing it. What rejects, or takes 5 s, is not sent: with PreparationError the
 * send pauses and the message waits in it, but a test fails; otherwise the message fails.
 */
export type PrepareMessage = (message: OutgoingMessage) => Promise<OutgoingMessage>;

/** No message of the send can be prepared, such as without a usable key: the reason is not in the message. */
export class PreparationError extends Error {
  override name = 'PreparationError';
  /** Shown to users who view the send. */
  readonly sendError: SendError;
  constructor(sendError: SendError, options?: ErrorOptions) {
    super(describeSendError(sendError), options);
    this.sendError = sendError;
  }
}

/** A message that was handed over. */
export interface Handover {
  result: TransportResult;
  /**
   * To be called once the result is stored or abandoned. Until then, a message whose text was sent holds a slot of the
   * transport, which limits how many messages are uncertain after the process is killed. Further calls do nothing.
   */
  settle: () => void;
}

/** Current load of a transport. */
export interface TransportUsage {
  /** Open connections to the mail server. */
  connections: number;
  /** Maximum sent texts without a settled result. */
  slots: number;
  slotsInUse: number;
  /** Of these, the slots whose texts wait for a late reply. */
  slotsHeldLong: number;
}

export interface MailTransport {
  /** Resolves with the result; network errors never reject the promise. */
  send(message: OutgoingMessage): Promise<Handover>;
  /** Number of messages that fully use the transport: those being sent, and one follower for each of them. */
  readonly capacity: number;
  readonly usage: TransportUsage;
  /** Milliseconds in which it turns out whether an uncertain message was accepted; undefined if nobody will say. */
  readonly evidenceMs?: number;
  /** It knows no recipient groups: all messages are one lane. */
  readonly hasOneLane?: true;
  /** Waits for the messages being sent, then sends QUIT on all connections. */
  close(): Promise<void>;
}
