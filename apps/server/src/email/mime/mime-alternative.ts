// MIME structure of a message with a text and an HTML alternative (RFC 2046 section 5.1.4), both quoted-printable.

// "=_" cannot occur in quoted-printable, so no text can end a part early (RFC 2045 section 6.7).
const boundary = '=_part';

/** Header lines with their CRLF. */
export const alternativeHeaders = `MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="${boundary}"\r\n`;

const partHead = (type: string) =>
  Buffer.from(
    `\r\n--${boundary}\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`,
  );

/** Begins with the blank line that ends the message header. */
export const textHead = partHead('plain');
export const htmlHead = partHead('html');
export const bodyEnd = Buffer.from(`\r\n--${boundary}--\r\n`);
