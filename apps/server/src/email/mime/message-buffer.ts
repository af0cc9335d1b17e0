import { bytesAtEnd, bytesPerUnit, type BodyEncoder } from '../encoding/body-encoder.ts';
import { cpuMsAtStart, threadCpuMs } from '../../platform/cpu-time.ts';
import { RenderError } from '../liquid/render-error.ts';

/** Maximum bytes of one message, below what most mail servers accept. */
const messageLimit = 10_000_000;
/** Size and time are checked each time this many bytes were written, which ordinary messages never reach. */
const stepBytes = 256 * 1024;
/** Characters that are encoded at a time, so that no extra buffer is needed for the worst case of a long text. */
const pieceLength = 16_384;
const pieceBytes = pieceLength * bytesPerUnit + bytesAtEnd;
/** Includes space for what is written before the limit is detected. */
const capacity = messageLimit + pieceBytes;

/**
 * Buffer in which messages are built, one after the other. It is allocated at full size, because pages that no message has
 * reached take no memory. Writing throws RenderError `too_large` at the size limit, and `too_slow` at the time limit.
 */
export class MessageBuffer {
  readonly bytes = Buffer.allocUnsafeSlow(capacity);
  length = 0;
  /** Position up to which no further check of size and time is needed. */
  #checkedTo = 0;
  #deadline = 0;

  /** Empties the buffer for the next message, which has `limitMs` of CPU time. */
  start(limitMs: number): void {
    this.length = 0;
    this.#checkedTo = stepBytes;
    this.#deadline = cpuMsAtStart() + limitMs;
  }

  copy(bytes: Buffer): void {
    this.#reserve(bytes.length);
    bytes.copy(this.bytes, this.length);
    this.length += bytes.length;
  }

  copyPart(bytes: Buffer, end: number): void {
    this.#reserve(end);
    bytes.copy(this.bytes, this.length, 0, end);
    this.length += end;
  }

  /** Writes `text` unencoded; it has to be Latin-1. */
  ascii(text: string): void {
    this.#reserve(text.length);
    this.length += this.bytes.write(text, this.length, 'latin1');
  }

  /** Encodes `text` with an open end: the next segment follows. */
  encode(encoder: BodyEncoder, text: string): void {
    if (text.length <= pieceLength) {
      this.#writePiece(encoder, text);
      return;
    }
    for (let start = 0; start < text.length;) {
      const end = endOfPiece(text, start);
      this.#writePiece(encoder, text.slice(start, end));
      start = end;
    }
  }

  /** @returns a copy of the finished message */
  finish(): Buffer {
    if (this.length > messageLimit) throw tooLarge();
    return Buffer.from(this.bytes.subarray(0, this.length));
  }

  #writePiece(encoder: BodyEncoder, text: string): void {
    this.#reserve(text.length * bytesPerUnit + bytesAtEnd);
    this.length = encoder.write(text, this.bytes, this.length, true);
  }

  #reserve(count: number): void {
    if (this.length + count > this.#checkedTo) this.#check(count);
  }

  #check(count: number): void {
    const needed = this.length + count;
    if (needed > capacity) throw tooLarge();
    if (threadCpuMs() > this.#deadline)
      throw new RenderError('too_slow', 'Writing the message took too long.', {
        sendError: { code: 'message_too_slow', values: {} },
      });
    this.#checkedTo = Math.min(capacity, needed + stepBytes);
  }
}

function tooLarge(): RenderError {
  const megabytes = messageLimit / 1_000_000;
  return new RenderError('too_large', `The message is larger than ${megabytes} MB.`, {
    sendError: { code: 'message_too_large', values: { megabytes } },
  });
}

/** @returns the end of the next piece, which does not split a surrogate pair or CRLF */
function endOfPiece(text: string, start: number): number {
  const end = start + pieceLength;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last === 13 || (last >= 0xd800 && last <= 0xdbff) ? end - 1 : end;
}
