/** Room that a text needs, at most: bytes for each UTF-16 unit, and for its end. */
export const bytesPerUnit = 11;
export const bytesAtEnd = 3;

/**
 * How the text of a body becomes bytes: quoted-printable in a MIME message, something else for who wants text and HTML as
 * they are. A body is encoded piece by piece, and static pieces once for all messages.
 */
export interface BodyEncoder {
  /**
   * Encodes `text` from the start of a line on.
   * @param target  has `bytesPerUnit` bytes for each unit of `text`, and `bytesAtEnd` more, behind `position`
   * @param isOpen  another piece follows: it can start as if it were at the start of a line
   * @returns the position behind the last byte written
   */
  write(text: string, target: Buffer, position: number, isOpen: boolean): number;
  /** Has to go ahead of the number of a link that starts behind this column; undefined where lines have any length. */
  softBreak: { afterColumn: number; bytes: Buffer } | undefined;
}

/** The same as a new Buffer. */
export function encodeBody(encoder: BodyEncoder, text: string, isOpen: boolean): Buffer {
  const target = Buffer.allocUnsafe(text.length * bytesPerUnit + bytesAtEnd);
  return Buffer.from(target.subarray(0, encoder.write(text, target, 0, isOpen)));
}
