import type { SendError } from '@reachout/contract/rules/send-errors.ts';

/** The reason of a rejection. */
export type BounceClass =
  | 'address_hard'
  | 'address_likely'
  | 'domain_hard'
  | 'routing_soft'
  | 'mailbox_full'
  | 'transient'
  | 'expired'
  | 'reputation'
  | 'authentication'
  | 'content'
  | 'too_big'
  | 'protocol'
  | 'unknown';

/** The rejected command; `message` is the reply to the final dot. */
export type SmtpStage = 'mail' | 'rcpt' | 'data' | 'message';

/** The result of one message. */
export type TransportResult =
  /**
   * `reference` is how the other side knows the message: the reply to its text, which names the queue id, or an id. Null where
   * there is none.
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
      /** The mail server was not asked: this is why, and the reply is what one would have said. */
      local?: SendError;
    }
  /** There was no connection: nothing is known about this message. */
  | { outcome: 'not_sent'; reason: string }
  /** It was taken back before it had left: by its sender (`mayLeave`), or because no text slot was free in time. */
  | { outcome: 'withdrawn'; reason: string }
  /** A connection that had worked was lost at this stage, before the server had the text. */
  | { outcome: 'interrupted'; stage: SmtpStage; reason: string }
  /** The connection was lost after the final dot: the server may or may not have accepted the message. */
  | { outcome: 'uncertain'; reason: string };

export interface OutgoingMessage {
  envelopeFrom: string;
  envelopeTo: string;
  message: Buffer;
  /** Vouches that `message` is CRLF throughout, ends with it, and has no line that starts with a dot; saves a look at each byte. */
  isStrict?: true;
  /** Asked when its turn comes, and once more before its text leaves; false takes it back. */
  mayLeave?: () => boolean;
  /**
   * An earlier attempt lost its connection. Nothing of it leaves in one write with the text of another message: the reply to
   * that text could be lost with the connection, and its recipient would get a second copy.
   */
  leavesAlone?: boolean;
}

/** A message that was handed over. */
export interface Handover {
  result: TransportResult;
  /**
   * To be called once the result is stored, or given up. Until then the message holds one of the slots of the transport if
   * its text has left: that bounds how many messages are unclear after the process was killed. Further calls do nothing.
   */
  settle: () => void;
}

/** How busy a transport is now. */
export interface TransportUsage {
  /** To the mail server, open. */
  connections: number;
  /** Texts that may leave without a settled result, at most. */
  slots: number;
  slotsInUse: number;
}

export interface MailTransport {
  /** Resolves when the result is there; network faults never reject. */
  send(message: OutgoingMessage): Promise<Handover>;
  /** How many messages keep the transport busy: those under way, and for each of them the one that follows. */
  readonly capacity: number;
  readonly usage: TransportUsage;
  /** Waits for what is under way, then says QUIT everywhere. */
  close(): Promise<void>;
}
