import { changeOfRate, type Change, type Rate } from './change.ts';

/** Below this many delivered messages a rate says little. */
export const fewBelow = 100;

/** Of a normal distribution: chance alone goes beyond it in one of twenty cases. */
const clearFrom = 1.96;

export type Verdict =
  /** Too few messages on one of the sides. */
  | { kind: 'few' }
  | { kind: 'same' }
  /** There is a difference, and chance may have made it. */
  | { kind: 'unclear' }
  | ({ kind: 'clear' } & Change);

/** What the difference of two rates says (two-proportion z-test). */
export function judgeRates(now: Rate, before: Rate): Verdict {
  const [part, base] = now;
  const [partBefore, baseBefore] = before;
  const change = changeOfRate(now, before);
  if (change === undefined || Math.min(base, baseBefore) < fewBelow) return { kind: 'few' };
  if (change.direction === 'same') return { kind: 'same' };
  const pooled = (part + partBefore) / (base + baseBefore);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / base + 1 / baseBefore));
  const isClear = Math.abs(part / base - partBefore / baseBefore) >= clearFrom * deviation;
  return isClear ? { kind: 'clear', ...change } : { kind: 'unclear' };
}
