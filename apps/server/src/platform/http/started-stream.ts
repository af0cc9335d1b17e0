import { Readable } from 'node:stream';

/**
 * Makes a response of pieces, the first of which is the heading of a file. The next one is read before the response starts:
 * if it cannot be read, the response is an error instead of a file that breaks off.
 */
export async function toStartedStream<T>(pieces: AsyncGenerator<T>): Promise<Readable> {
  const begun = [await pieces.next(), await pieces.next()];
  async function* all(): AsyncGenerator<T> {
    for (const { done, value } of begun.splice(0)) if (done !== true) yield value;
    yield* pieces;
  }
  return Readable.from(all());
}
