import { bytesAtEnd, bytesPerUnit, type BodyEncoder } from '../encoding/body-encoder.ts';
import { threadCpuMs } from '../../platform/cpu-time.ts';
import { RenderError } from '../liquid/render-error.ts';

/** Bytes of one message: below what most mail servers accept. */
const messageLimit = 10_000_000;
/** Size and clock are looked at each time so many bytes are written: ordinary messages never get there. */
const stepBytes = 256 * 1024;
/** Characters that are encoded at a time, so that the worst case of a long text needs no room of its own. */
const pieceLength = 16_384;
const pieceBytes = pieceLength * bytesPerUnit + bytesAtEnd;
/** What is written before the limit is noticed has room behind it. */
const capacity = messageLimit + pieceBytes;

/**
 * Where one message is put together, and then the next. It has its full size from the beginning, because pages that no
 * message has reached take no memory. Writing throws RenderError `too_large` at the limit, and `too_slow` when the time is up.
 */
export class MessageBuffer {
  readonly bytes = Buffer.allocUnsafeSlow(capacity);
  length = 0;
  /** Up to here may be written without another look at size and clock. */
  #checkedTo = 0;
  #deadline = 0;

  /** Empties the buffer for the next message, which has to be finished after `limitMs` on a processor. */
  start(limitMs: number): void {
    this.length = 0;
    this.#checkedTo = stepBytes;
    this.#deadline = threadCpuMs() + limitMs;
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

  /** `text` has to be Latin-1, and is written as it is. */
  ascii(text: string): void {
    this.#reserve(text.length);
    this.length += this.bytes.write(text, this.length, 'latin1');
  }

  /** Open at its end: the next segment follows. */
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

/** A surrogate pair and a CRLF stay in one piece. */
function endOfPiece(text: string, start: number): number {
  const end = start + pieceLength;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last === 13 || (last >= 0xd800 && last <= 0xdbff) ? end - 1 : end;
}
