import type { Readable } from 'node:stream';
import { maxInboundBytes } from './returned-mail.ts';

/**
 * Reads a message to its end, and keeps its start behind `head`. Chunks are copied: a client may send single bytes, each of which
 * has a buffer of its own.
 * @param maxBytes  after these, nothing more is read
 */
export async function readStart(
  stream: Readable,
  head: string,
  maxBytes: number,
): Promise<{ raw: Buffer; droppedBytes: number; isWhole: boolean }> {
  let kept = Buffer.from(head);
  let length = kept.length;
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (length + chunk.length > kept.length && kept.length < maxInboundBytes) {
      const larger = Buffer.alloc(Math.min(maxInboundBytes, 2 * (length + chunk.length)));
      kept.copy(larger, 0, 0, length);
      kept = larger;
    }
    length += chunk.copy(kept, length);
    if (bytes > maxBytes) break;
  }
  const droppedBytes = Buffer.byteLength(head) + bytes - length;
  return { raw: kept.subarray(0, length), droppedBytes, isWhole: bytes <= maxBytes };
}
