import { createConcurrencyLimiter } from '../concurrency-limiter.ts';

export interface BodyTurnLimits {
  /** A body with more bytes, or more values of JSON, is a large one. */
  largeBytes: number;
  largeValues: number;
  /** So much of large bodies is read for one owner: each takes its turn for as long. */
  bytesPerSecond: number;
  valuesPerSecond: number;
}

/** The turn of one body. */
export interface BodyTurn {
  /** Waits for the turn once the body is a large one. @throws LimitExceeded when others of the owner take too long */
  note: (bytes: number, values: number) => Promise<void>;
  /** The body has been read, or given up. */
  end: () => void;
}

/**
 * Large bodies of one owner are read one after the other, each at a rate that leaves the processor to others: reading, parsing and
 * handing on what a server answers is work of the thread that all of them share.
 */
export function createBodyTurns(
  { largeBytes, largeValues, bytesPerSecond, valuesPerSecond }: BodyTurnLimits,
  maxWaitMs: number,
): (owner: string) => BodyTurn {
  const limit = createConcurrencyLimiter({
    bound: 'large responses to one owner',
    maxConcurrent: 1,
    maxQueued: 200,
    maxWaitMs,
  });
  const take = (owner: string): Promise<() => void> =>
    new Promise((taken, refused) => {
      limit(owner, () => new Promise<void>((ended) => taken(ended))).catch(refused);
    });
  return (owner) => {
    let endTurn: (() => void) | undefined;
    let seconds = 0;
    return {
      note: async (bytes, values) => {
        if (bytes <= largeBytes && values <= largeValues) return;
        seconds = bytes / bytesPerSecond + values / valuesPerSecond;
        endTurn ??= await take(owner);
      },
      end: () => {
        if (endTurn !== undefined) setTimeout(endTurn, seconds * 1_000).unref();
      },
    };
  };
}
