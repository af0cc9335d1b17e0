import { describeSendError, sendError } from '@reachout/contract/rules/send-errors.ts';
import { toCrlf } from '../encoding/line-breaks.ts';
import type { Handover, OutgoingMessage, TransportResult } from '../transports/transport.ts';

/** A message in the pool. */
export interface SmtpJob {
  message: SmtpMessage;
  mayLeave: () => boolean;
  /** Never sent as a follower (see `OutgoingMessage`). */
  leavesAlone: boolean;
  resolve: (handover: Handover) => void;
  /** Retried over a new connection after the previous one was lost; it is not retried again. */
  isSecondTry: boolean;
  /** Only a connection that has carried no message yet may send it. */
  needsFresh: boolean;
}

/** The message as it is sent, with a checked envelope. */
export interface SmtpMessage {
  envelopeFrom: string;
  envelopeTo: string;
  fromDomain: string | undefined;
  /** Has only CRLF line breaks, and one at the end. */
  text: Buffer;
  /** No line of the text starts with a dot. */
  isDotFree: boolean;
}

/** Passes messages of our own builder unchanged; normalizes the line breaks of others. */
export function toSmtpMessage({
  envelopeFrom,
  envelopeTo,
  fromDomain,
  message,
  isStrict,
}: OutgoingMessage): SmtpMessage {
  const envelope = { envelopeFrom, envelopeTo, fromDomain };
  if (isStrict === true) return { ...envelope, text: message, isDotFree: true };
  const text = toCrlf(message);
  return { ...envelope, text, isDotFree: !/^\./m.test(text.toString('latin1')) };
}

/** @returns the text for DATA, with dots at the start of lines doubled (RFC 5321 section 4.5.2) */
export function stuffDots({ text, isDotFree }: SmtpMessage): Buffer {
  if (isDotFree) return text;
  return Buffer.from(text.toString('latin1').replaceAll(/^\./gm, '..'), 'latin1');
}

/** Final check before sending: rejects addresses that could end a command or add a parameter. */
export function checkEnvelope({ envelopeFrom, envelopeTo }: OutgoingMessage): TransportResult | undefined {
  const pattern = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i;
  if (envelopeFrom.length > 254 || !pattern.test(envelopeFrom)) {
    return rejectLocally('sender_unusable', 553, '5.1.7', 'protocol', 'mail');
  }
  if (envelopeTo.length > 254 || !pattern.test(envelopeTo)) {
    return rejectLocally('recipient_unusable', 553, '5.1.3', 'address_hard', 'rcpt');
  }
  return undefined;
}

/** @param limit  maximum bytes that the relay accepts (RFC 1870) */
export function checkSize({ text }: SmtpMessage, limit: number): TransportResult | undefined {
  if (text.length <= limit) return undefined;
  return rejectLocally('larger_than_server_takes', 552, '5.3.4', 'too_big', 'mail');
}

function rejectLocally(
  reason: 'sender_unusable' | 'recipient_unusable' | 'larger_than_server_takes',
  code: number,
  enhanced: string,
  bounceClass: 'address_hard' | 'protocol' | 'too_big',
  stage: 'mail' | 'rcpt',
): TransportResult {
  const local = sendError(reason);
  const text = describeSendError(local);
  return { outcome: 'rejected', permanent: true, code, enhanced, text, stage, class: bounceClass, local };
}
