// The canonical form "relaxed" of header fields and bodies (RFC 6376 sections 3.4.2 and 3.4.4). Messages are read as Latin-1,
// in which each byte is a character.

export interface HeaderField {
  /** In lower case. */
  name: string;
  /** As it stands in the message, with its line breaks. */
  value: string;
}

export interface MessageParts {
  /** In the order of the message. */
  fields: HeaderField[];
  body: Buffer;
}

/**
 * @param message  with CRLF alone as line break
 * @param bodyOffset  where its body starts, if that is known
 */
export function splitMessage(message: Buffer, bodyOffset = findBody(message)): MessageParts {
  const head = message.toString('latin1', 0, bodyOffset);
  const fields = head.split(/\r\n(?![\t ])/).flatMap((line) => {
    const colon = line.indexOf(':');
    // Lines that are not fields, such as the blank one after the head, have no name by which they could be signed.
    if (colon < 1) return [];
    return [{ name: line.slice(0, colon).trimEnd().toLowerCase(), value: line.slice(colon + 1) }];
  });
  return { fields, body: message.subarray(bodyOffset) };
}

function findBody(message: Buffer): number {
  if (message.indexOf('\r\n') === 0) return 2;
  const headEnd = message.indexOf('\r\n\r\n');
  return headEnd < 0 ? message.length : headEnd + 4;
}

/** @returns without CRLF */
export function relaxField({ name, value }: HeaderField): string {
  const unfolded = value.replaceAll('\r\n', '').replaceAll(/[\t ]+/g, ' ');
  return `${name}:${unfolded.slice(unfolded.startsWith(' ') ? 1 : 0, unfolded.endsWith(' ') ? -1 : undefined)}`;
}

export function relaxBody(body: Buffer): Buffer {
  // Runs of blanks first: a pattern for those at line ends alone takes quadratic time.
  const lines = body
    .toString('latin1')
    .replaceAll(/[\t ]+/g, ' ')
    .replaceAll(' \r\n', '\r\n');
  let end = lines.endsWith(' ') ? lines.length - 1 : lines.length;
  while (lines.endsWith('\r\n', end)) end -= 2;
  return Buffer.from(end === 0 ? '' : `${lines.slice(0, end)}\r\n`, 'latin1');
}
