/** Maximum encoded size of a text: bytes for each UTF-16 unit, and for its end. */
export const bytesPerUnit = 11;
export const bytesAtEnd = 3;

/**
 * Encodes the text of a body: quoted-printable in a MIME message, another encoding where text and HTML are needed as they
 * are. A body is encoded piece by piece, and static pieces once for all messages.
 */
export interface BodyEncoder {
  /**
   * Encodes `text`, which begins at the start of a line.
   * @param target  has `bytesPerUnit` bytes for each unit of `text`, and `bytesAtEnd` more, after `position`
   * @param isOpen  another piece follows, which is encoded as if it began at the start of a line
   * @returns the position after the last byte written
   */
  write(text: string, target: Buffer, position: number, isOpen: boolean): number;
  /** Has to precede a link number that starts after this column; undefined if lines can have any length. */
  softBreak: { afterColumn: number; bytes: Buffer } | undefined;
}

/** @returns the encoded text in a new Buffer */
export function encodeBody(encoder: BodyEncoder, text: string, isOpen: boolean): Buffer {
  const target = Buffer.allocUnsafe(text.length * bytesPerUnit + bytesAtEnd);
  return Buffer.from(target.subarray(0, encoder.write(text, target, 0, isOpen)));
}
