/** Pseudo-random choices, reproducible from a seed. Not for secrets. */
export interface Random {
  /** From 0 to less than 1. */
  next: () => number;
  below: (limit: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(from: readonly T[]) => T;
}

/** Mulberry32: small, fast, and good enough for generated sample data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (from) => from[below(from.length)]!,
  };
}
