import { createConcurrencyLimiter } from '../concurrency-limiter.ts';

export interface BodyTurnLimits {
  /** A body with more bytes or more JSON values is large. */
  largeBytes: number;
  largeValues: number;
  /** Rates at which the large bodies of one owner are read; each body holds the owner's slot for as long. */
  bytesPerSecond: number;
  valuesPerSecond: number;
}

/** Holds the owner's slot for one body, if it is large. */
export interface BodyTurn {
  /** Waits for the slot once the body is large. @throws LimitExceeded if other bodies of the owner take too long */
  note: (bytes: number, values: number) => Promise<void>;
  /** To be called when the body has been read or abandoned. */
  end: () => void;
}

/**
 * Serializes the large bodies of one owner, each at a rate that leaves CPU time for other owners: all of them share the
 * thread that reads, parses and forwards responses.
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
