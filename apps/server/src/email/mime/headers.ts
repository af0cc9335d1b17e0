import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { toHeaderText } from '../encoding/header-text.ts';
import { RenderError } from '../liquid/render-error.ts';

/** Recommended maximum of a header line without CRLF (RFC 5322 section 2.1.1: should be 78, must be 998). */
const lineLimit = 78;
/** Maximum length of a value in UTF-16 units; far beyond what any mail program shows. */
const valueLimit = 1000;

/**
 * @returns a text as the value of one header line (`toHeaderText`)
 * @throws RenderError `too_large`
 */
function headerText(name: string, value: string): string {
  const text = toHeaderText(value);
  if (text.length > valueLimit)
    throw new RenderError('too_large', `${name} is longer than ${valueLimit} characters.`, {
      sendError: { code: 'header_too_long', values: { header: name, limit: valueLimit } },
    });
  return text;
}

/** Final check before an address enters a header and an envelope: accepts what `parseAddress` returns. */
export function checkAddress(address: string): string {
  if (address.length <= 254 && /^(?![/-])[\w#$&'*+/=?^`{}~.-]{1,64}@[a-z\d.-]+$/i.test(address))
    return address;
  throw new RenderError('invalid_address', 'An address is not a single plain mailbox.', {
    sendError: { code: 'recipient_unusable', values: {} },
  });
}

/**
 * Formats one unstructured header, folded, with its CRLF. Text other than plain ASCII becomes encoded words (RFC 2047).
 * @throws RenderError `too_large`
 */
export function formatTextHeader(name: string, value: string): string {
  const text = headerText(name, value);
  if (isPlain(text) && name.length + 2 + text.length <= lineLimit) return `${name}: ${text}\r\n`;
  const folded = isPlain(text) ? foldAtBlanks(name, text) : undefined;
  return `${name}: ${folded ?? encodeWords(text)}\r\n`;
}

/** `Name <address>` for From and Reply-To; `address` is trusted to come from `parseAddress`. */
export function formatMailbox(name: string, address: string): string {
  const text = headerText('A display name', name);
  if (text === '') return address;
  if (!isPlain(text)) return `${encodeWords(text)}\r\n <${address}>`;
  const quoted = `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  return quoted.length + address.length + 12 <= lineLimit
    ? `${quoted} <${address}>`
    : `${encodeWords(text)}\r\n <${address}>`;
}

/**
 * `"Name" <id>` for List-Id (RFC 2919), on one line.
 * @param id host-like, stable per list, e.g. `b1.example.com`
 * @throws RenderError `too_large`
 */
export const formatListId = (name: string, id: string): string =>
  formatMailbox(cutText(name, 60), id).replaceAll('\r\n', '');

/** @returns e.g. `Fri, 20 Nov 2026 10:15:00 +0000` (RFC 5322 section 3.3) */
export const formatDate = (date: Date): string => `${date.toUTCString().slice(0, -3)}+0000`;

/** "=?" is not plain, because it would be read as an encoded word. */
const isPlain = (text: string): boolean => /^[\u0020-\u007e]*$/.test(text) && !text.includes('=?');

/** @returns undefined if a word is too long for a line */
function foldAtBlanks(name: string, text: string): string | undefined {
  let folded = '';
  let column = name.length + 1;
  for (const word of text.split(/(?= )/)) {
    const part = folded === '' ? word : word;
    if (column + part.length + 1 > lineLimit) {
      if (folded === '' || part.trim() === '') return undefined;
      folded += '\r\n';
      column = 0;
    }
    if (part.length > lineLimit) return undefined;
    folded += part;
    column += part.length;
  }
  return folded;
}

/** Encodes at most 39 bytes per word: 64 characters with delimiters, which fits after "Subject: " (RFC 2047 section 2). */
function encodeWords(text: string): string {
  const words: string[] = [];
  let chunk = '';
  let bytes = 0;
  for (const character of text.toWellFormed()) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 39) {
      words.push(chunk);
      chunk = '';
      bytes = 0;
    }
    chunk += character;
    bytes += size;
  }
  words.push(chunk);
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}
