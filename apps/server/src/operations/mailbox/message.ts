import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { attempt } from '../../platform/attempt.ts';

/** A message as stored in the built-in mailbox. */
export interface ReceivedMessage {
  id: string;
  organizationId: string;
  sendId: string;
  seq: number;
  recipient: string;
  sender: string;
  subject: string;
  raw: Buffer;
  receivedAt: Date;
}

const subjectLimit = 300;

/** @returns the decoded subject of a message for the list; empty if it has none */
export function readSubject(raw: Buffer): string {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.toString('utf8', 0, Math.min(end === -1 ? raw.length : end, 65_536));
  const folded = /^subject:[ \t]*(.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? '';
  const text = decodeWords(folded.replaceAll(/\r\n(?=[ \t])/g, ''))
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return cutText(text, subjectLimit).toWellFormed();
}

/** Decodes encoded words; whitespace between two of them is dropped (RFC 2047 section 6.2). */
function decodeWords(text: string): string {
  const word = /=\?([\w-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi;
  return text
    .replaceAll(/(\?=)\s+(?==\?)/g, '$1')
    .replaceAll(word, (whole, charset: string, encoding: string, content: string) => {
      return attempt(() => new TextDecoder(charset).decode(decodeBytes(encoding, content)), whole);
    });
}

function decodeBytes(encoding: string, content: string): Uint8Array {
  if (encoding.toLowerCase() === 'b') return Buffer.from(content, 'base64');
  const bytes = content
    .replaceAll('_', ' ')
    .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
