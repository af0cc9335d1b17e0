import type { SmtpStage } from '../rejections/rejection.ts';

/** A message that the listener took, before it is read. */
export interface InboundMail {
  /** Local part of the address it was sent to, in lower case: `b.<token>`, `u+<token>`, `complaintsMailbox`, or
   * `providerMailbox` with an id. */
  mailbox: string;
  /** At most `maxInboundBytes` of it. */
  raw: Buffer;
  receivedAt: Date;
}

/** What a provider reports about messages of a transport is kept like mail to `p.<id of the transport>`. */
export const providerMailbox = 'p.';

/** The mailbox at the installation's bounce host that feedback loops (RFC 5965) are registered with. */
export const complaintsMailbox = 'complaints';

/** What is kept of a message: reports have their facts at the start, and the returned message behind them. */
export const maxInboundBytes = 65_536;

/** Tokens that a report names its message by: found in it, and not verified. */
export interface NamedTokens {
  return_path: readonly string[];
  unsubscribe: readonly string[];
}

/** What a returned message says. */
export type ReturnedMail =
  /** RFC 3464, `Action: failed`, or a notice in the words of a server: the message was not delivered. */
  | {
      kind: 'failure';
      /** What `classifyRejection` reads. Code 0 and `enhanced` null: the report has no code. */
      code: number;
      enhanced: string | null;
      text: string;
      stage: SmtpStage;
      /** The address that could not be reached, in lower case, if the report names it. */
      failed: string | undefined;
      named: NamedTokens;
    }
  /** RFC 5965: its recipient marked the message as unwanted. */
  | { kind: 'complaint'; feedbackType: 'abuse' | 'fraud'; named: NamedTokens }
  /** Sent to the address of List-Unsubscribe (RFC 2369). */
  | { kind: 'unsubscribe' }
  /** Changes nothing. */
  | { kind: 'note'; note: 'delayed' | 'delivered' | 'auto_reply' | 'not_spam' | 'unreadable' };
