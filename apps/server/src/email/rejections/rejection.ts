/** The rejected command; `message` is the reply to the final dot. */
export type SmtpStage = 'mail' | 'rcpt' | 'data' | 'message';

/** Whom a rejection speaks of. */
export type RejectionSubject = 'session' | 'sender' | 'recipient' | 'content';

/** What is known about the message: a reply that names one of these speaks of the sender, or of the recipient. */
export interface RejectedEnvelope {
  sender: string;
  recipient: string;
  /** Domain of the From address. */
  fromDomain?: string | undefined;
  /** The name in EHLO. */
  clientName?: string | undefined;
}

/** A rejecting reply of a mail server, from an SMTP dialog or from a report about returned mail. */
export interface Rejection {
  code: number;
  enhanced: string | null;
  /** Text of all lines without their codes, separated by line breaks. */
  text: string;
  stage: SmtpStage;
  envelope?: RejectedEnvelope | undefined;
}
