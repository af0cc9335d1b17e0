import { readFields, type Fields } from '../inbound/header-fields.ts';
import { bodyEnd, htmlHead, textHead } from './mime-alternative.ts';

/** A message that this server has built, in parts, for interfaces that take no MIME. */
export interface MessageParts {
  /** By name in lower case, unfolded, encoded words as they are. */
  fields: Fields;
  from: Mailbox;
  subject: string;
  /** With CRLF line breaks. */
  text: string;
  html: string;
}

export interface Mailbox {
  /** Empty without one. */
  name: string;
  address: string;
}

/**
 * Reads a message of `createEmailRenderer` or `buildPlainEmail`, also after it was signed, and gives back exactly what was written.
 * @throws TypeError for other messages
 */
export function readMessage({ message }: { message: Buffer }): MessageParts {
  const textAt = message.indexOf(textHead);
  const htmlAt = message.indexOf(htmlHead, textAt);
  const endAt = message.indexOf(bodyEnd, htmlAt);
  if (textAt < 0 || htmlAt < 0 || endAt < 0) throw new TypeError('Not a message of this server.');
  const fields = readHead(message);
  return {
    fields,
    from: readMailbox(fields.get('from') ?? ''),
    subject: decodeWords(fields.get('subject') ?? ''),
    text: decodeBody(message.subarray(textAt + textHead.length, htmlAt)),
    html: decodeBody(message.subarray(htmlAt + htmlHead.length, endAt)),
  };
}

/** @returns the From address of a message that this server has built; empty if there is none */
export const readSender = ({ message }: { message: Buffer }): string =>
  readMailbox(readHead(message).get('from') ?? '').address;

function readHead(message: Buffer): Fields {
  const end = message.indexOf('\r\n\r\n');
  return readFields(message.toString('latin1', 0, end < 0 ? message.length : end));
}

/** The inverse of `formatMailbox`. */
function readMailbox(value: string): Mailbox {
  const [, name = '', address = ''] = /^(.*) <([^<>]*)>$/s.exec(value) ?? [];
  if (address === '') return { name: '', address: value };
  const quoted = /^"(.*)"$/s.exec(name)?.[1];
  return { name: quoted === undefined ? decodeWords(name) : quoted.replaceAll(/\\(.)/g, '$1'), address };
}

/** RFC 2047, as `formatTextHeader` writes it: each word has whole characters, and blanks between two words are no text. */
const decodeWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?B\?([\w+/]*={0,2})\?=/g, (_, word: string) =>
      Buffer.from(word, 'base64').toString(),
    );

/** Quoted-printable, as `quotedPrintable` writes it (RFC 2045, section 6.7). */
function decodeBody(body: Buffer): string {
  const bytes = body
    .toString('latin1')
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
