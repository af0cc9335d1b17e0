import { checkAddress, formatDate, formatMailbox, formatTextHeader } from './headers.ts';
import { alternativeHeaders, bodyEnd, htmlHead, textHead } from './mime-alternative.ts';
import { encodeBody } from '../encoding/body-encoder.ts';
import { quotedPrintable } from '../encoding/quoted-printable.ts';

export interface PlainEmail {
  from: { name: string; address: string };
  to: string;
  subject: string;
  /** With angle brackets. */
  messageId: string;
  date: Date;
  text: string;
  html: string;
  /** BCP 47, such as `de`. */
  language: string;
}

/**
 * Builds a message to one person about something they did, without tracking, unsubscribe link or anything else of a
 * campaign. Fulfills `isStrict` of `OutgoingMessage`.
 * @throws RenderError `invalid_address`, `too_large`
 */
export function buildPlainEmail(email: PlainEmail): Buffer {
  const head =
    `From: ${formatMailbox(email.from.name, checkAddress(email.from.address))}\r\n` +
    `To: ${checkAddress(email.to)}\r\n${formatTextHeader('Subject', email.subject)}` +
    `Date: ${formatDate(email.date)}\r\nMessage-ID: ${email.messageId}\r\n` +
    // RFC 3834: prevents out-of-office replies.
    'Auto-Submitted: auto-generated\r\nX-Auto-Response-Suppress: All\r\n' +
    `Content-Language: ${email.language}\r\n${alternativeHeaders}`;
  return Buffer.concat([
    Buffer.from(head),
    textHead,
    encodeBody(quotedPrintable, email.text, true),
    htmlHead,
    encodeBody(quotedPrintable, email.html, true),
    bodyEnd,
  ]);
}
