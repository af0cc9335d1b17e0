/** A message as the built-in mailbox keeps it. */
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

/** The subject of a message in clear, for the list; empty when it has none. */
export function readSubject(raw: Buffer): string {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.toString('utf8', 0, Math.min(end === -1 ? raw.length : end, 65_536));
  const folded = /^subject:[ \t]*(.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? '';
  const text = decodeWords(folded.replaceAll(/\r\n(?=[ \t])/g, ''))
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return text.slice(0, subjectLimit).toWellFormed();
}

/** Encoded words to text; blanks between two of them are not part of it (RFC 2047 section 6.2). */
function decodeWords(text: string): string {
  const word = /=\?([\w-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi;
  return text
    .replaceAll(/(\?=)\s+(?==\?)/g, '$1')
    .replaceAll(word, (whole, charset: string, encoding: string, content: string) => {
      try {
        return new TextDecoder(charset).decode(decodeBytes(encoding, content));
      } catch {
        return whole;
      }
    });
}

function decodeBytes(encoding: string, content: string): Uint8Array {
  if (encoding.toLowerCase() === 'b') return Buffer.from(content, 'base64');
  const bytes = content
    .replaceAll('_', ' ')
    .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
