/** @returns the message with CRLF alone as line break, also at its end (RFC 5321 section 2.3.8) */
export function toCrlf(message: Buffer): Buffer {
  const lines = message.toString('latin1').replaceAll(/\r\n|\r|\n/g, '\r\n');
  return Buffer.from(lines.endsWith('\r\n') ? lines : `${lines}\r\n`, 'latin1');
}
