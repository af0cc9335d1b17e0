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
  | { outcome: 'accepted'; reply: string; code: number }
  | {
      outcome: 'rejected';
      permanent: boolean;
      code: number;
      enhanced: string | null;
      text: string;
      stage: SmtpStage;
      class: BounceClass;
    }
  /** There was no connection: nothing is known about this message. */
  | { outcome: 'not_sent'; reason: string }
  /** A connection that had worked was lost at this stage, before the server had the text. */
  | { outcome: 'interrupted'; stage: SmtpStage; reason: string }
  /** The connection was lost after the final dot: the server may or may not have accepted the message. */
  | { outcome: 'uncertain'; reason: string };

export interface OutgoingMessage {
  envelopeFrom: string;
  envelopeTo: string;
  message: Buffer;
  /** Vouches that `message` is CRLF throughout, ends with it, and needs no dot-stuffing; saves a look at each byte. */
  isStrict?: true;
}

export interface MailTransport {
  /** Resolves with the result; network faults never reject. */
  send(message: OutgoingMessage): Promise<TransportResult>;
  /** How many messages can be under way at once. */
  readonly connections: number;
  /** Waits for what is under way, then says QUIT everywhere. */
  close(): Promise<void>;
}
