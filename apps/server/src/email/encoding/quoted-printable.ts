import type { BodyEncoder } from './body-encoder.ts';

/**
 * Quoted-printable (RFC 2045 section 6.7), encoded directly into a Buffer. In addition to the standard: a dot at the start
 * of a line is encoded, so that SMTP needs no dot-stuffing; so is an `F`, so that no relay turns "From " into ">From ";
 * runs of spaces and tabs are encoded, so that the body is already canonical under relaxed (RFC 6376 section 3.4.4).
 */

/** Maximum line length without CRLF. */
export const lineLimit = 76;

const plain = 1;
const blank = 2;
const atLineStart = 3;

const kinds = new Uint8Array(128);
kinds.fill(plain, 33, 127);
kinds[0x3d] = 0;
kinds[0x2e] = atLineStart;
kinds[0x46] = atLineStart;
kinds[0x20] = blank;

const hexDigits = Buffer.from('0123456789ABCDEF');

/**
 * CRLF, LF and a lone CR all become CRLF. A lone surrogate becomes U+FFFD. An open piece ends with a soft break, so that
 * the next piece starts at column 0.
 */
export const quotedPrintable: BodyEncoder = {
  write,
  // A link number has at most five digits, and ends with its own soft break.
  softBreak: { afterColumn: lineLimit - 7, bytes: Buffer.from('=\r\n') },
};

function write(text: string, target: Buffer, position: number, isOpen: boolean): number {
  const length = text.length;
  let at = position;
  let column = 0;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 10 || unit === 13) {
      if (unit === 13 && text.charCodeAt(index + 1) === 10) index++;
      target[at++] = 13;
      target[at++] = 10;
      column = 0;
      continue;
    }
    if (column > lineLimit - 4) {
      // Every branch below relies on space for "=XX" and for the "=" of a soft break.
      at = writeSoftBreak(target, at);
      column = 0;
    }
    if (unit < 128) {
      const kind = kinds[unit]!;
      if (
        kind === plain ||
        (kind === atLineStart && column > 0) ||
        (kind === blank && isSingleBlank(text, index, length, column))
      ) {
        target[at++] = unit;
        column++;
      } else {
        at = writeHex(unit, target, at);
        column += 3;
      }
      continue;
    }
    const code = codePointAt(text, index, unit);
    if (code > 0xffff) index++;
    const width = 3 * (code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
    // The bytes of a character stay on one line, for readers that decode line by line.
    if (column + width > lineLimit - 1) {
      at = writeSoftBreak(target, at);
      column = 0;
    }
    at = writeUtf8(code, target, at);
    column += width;
  }
  return isOpen && column > 0 ? writeSoftBreak(target, at) : at;
}

function writeSoftBreak(target: Buffer, at: number): number {
  target[at] = 61;
  target[at + 1] = 13;
  target[at + 2] = 10;
  return at + 3;
}

/** @param unit  the non-ASCII code unit at `index` */
function codePointAt(text: string, index: number, unit: number): number {
  if (unit < 0xd800 || unit > 0xdfff) return unit;
  const next = text.charCodeAt(index + 1);
  return unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff
    ? 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00)
    : 0xfffd;
}

/** @param code  a non-ASCII code point */
function writeUtf8(code: number, target: Buffer, position: number): number {
  let at = position;
  if (code < 0x800) {
    at = writeHex(0xc0 | (code >> 6), target, at);
  } else if (code < 0x10000) {
    at = writeHex(0xe0 | (code >> 12), target, at);
    at = writeHex(0x80 | ((code >> 6) & 63), target, at);
  } else {
    at = writeHex(0xf0 | (code >> 18), target, at);
    at = writeHex(0x80 | ((code >> 12) & 63), target, at);
    at = writeHex(0x80 | ((code >> 6) & 63), target, at);
  }
  return writeHex(0x80 | (code & 63), target, at);
}

/** Whether a blank is not at the start or end of a line, nor before another blank: relaxed leaves only such blanks as is. */
function isSingleBlank(text: string, index: number, length: number, column: number): boolean {
  if (column === 0 || index + 1 >= length) return false;
  const next = text.charCodeAt(index + 1);
  return next !== 32 && next !== 9 && next !== 10 && next !== 13;
}

function writeHex(byte: number, target: Buffer, at: number): number {
  target[at] = 61;
  target[at + 1] = hexDigits[byte >> 4]!;
  target[at + 2] = hexDigits[byte & 15]!;
  return at + 3;
}
