import { classifyRejection } from '../rejections/classify-rejection.ts';
import type { RejectedEnvelope, RejectionSubject, SmtpStage } from '../rejections/rejection.ts';
import type { TransportResult } from '../transports/transport.ts';

export interface SmtpReply {
  /** Three digits, 200 to 599. */
  code: number;
  /** Text of all lines without their codes, joined by spaces. */
  text: string;
  /** The same text by line, for replies to EHLO. */
  lines: string[];
}

/** Cleans untrusted text for storage and display: no control or non-ASCII characters, at most 500 characters. */
export const cleanReplyText = (text: string): string =>
  text
    .replaceAll(/[^\u0020-\u007e]+/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
    .slice(0, 500);

const replyLimit = 65_536;

/** Parses replies from chunks that may be split at any byte (RFC 5321 section 4.2.1). */
export class SmtpReplyParser {
  /** Why parsing has stopped: the server does not speak SMTP, or its reply is endless. */
  problem: string | undefined;
  #pending = '';
  #lines: string[] = [];
  #size = 0;

  /** Whether an incomplete reply is buffered. */
  get isMidReply(): boolean {
    return this.#pending !== '' || this.#lines.length > 0;
  }

  /** @returns the replies that this chunk completes, including those before a problem */
  push(chunk: Buffer): SmtpReply[] {
    // Latin-1 maps each byte to one character; non-ASCII characters are removed later anyway.
    let rest = this.#pending + chunk.toString('latin1');
    this.#size += chunk.length;
    const replies: SmtpReply[] = [];
    if (this.#size > replyLimit) this.problem = 'The server sent an endless reply.';
    if (this.problem !== undefined) return replies;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end > 0 && rest[end - 1] === '\r' ? end - 1 : end);
      rest = rest.slice(end + 1);
      if (!/^[2-5]\d\d(?:[ -]|$)/.test(line)) {
        this.problem = `Not an SMTP reply: ${cleanReplyText(line).slice(0, 80)}`;
        return replies;
      }
      this.#lines.push(line.slice(4));
      if (line[3] === '-') continue;
      replies.push({ code: Number(line.slice(0, 3)), text: this.#lines.join(' '), lines: this.#lines });
      this.#lines = [];
      this.#size = rest.length;
    }
    this.#pending = rest;
    return replies;
  }
}

export interface SmtpRejection {
  result: TransportResult & { outcome: 'rejected' };
  /** Whom the reply speaks of. */
  subject: RejectionSubject;
}

/** Converts a rejecting reply to the result of a message. */
export function toRejection(
  stage: SmtpStage,
  { code, lines }: Pick<SmtpReply, 'code' | 'lines'>,
  envelope?: RejectedEnvelope,
): SmtpRejection {
  // The lines are one text, in which the first may name the sender and the second what is wrong with it.
  const text = lines.map(cleanReplyText).join('\n');
  const enhanced = findEnhancedCode(code, text);
  const { subject, class: bounceClass } = classifyRejection({ code, enhanced, text, stage, envelope });
  const permanent = code >= 500;
  const reply = { code, enhanced, text: cleanReplyText(text) };
  return { subject, result: { outcome: 'rejected', permanent, ...reply, stage, class: bounceClass } };
}

const enhancedCode = String.raw`([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)`;

/** The places of a code, the most reliable first. */
const places = [
  // RFC 2034: at the start of the text. Some servers have it in the last line only.
  new RegExp(String.raw`^\s*${enhancedCode}`, 'm'),
  // `(#5.1.1)` of qmail, `#5.1.0` of Cisco, `[5.1.1]`.
  new RegExp(String.raw`[#([]${enhancedCode}`),
  // The quoted reply of another server: `550 5.1.1 no such user`.
  new RegExp(String.raw`\b[245]\d\d[ -]${enhancedCode}`),
];

/** @returns e.g. `5.1.1` (RFC 3463), if the text has such a code where servers write it */
export function findEnhancedCode(code: number, text: string): string | null {
  for (const place of places) {
    const enhanced = place.exec(text)?.[1];
    // RFC 2034 section 4: its class must match the reply's. Otherwise it is something else, such as part of an IP address.
    if (enhanced?.startsWith(String(Math.floor(code / 100))) === true) return enhanced;
  }
  return null;
}
