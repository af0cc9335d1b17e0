import { changeOfRate, type Change, type Rate } from './change.ts';

/** Below this number of delivered messages, a rate is not meaningful. */
export const fewBelow = 100;

/** Critical value of the normal distribution: chance alone exceeds it in 1 of 20 cases. */
const clearFrom = 1.96;

export type Verdict =
  /** One of the sides has too few messages. */
  | { kind: 'few' }
  | { kind: 'same' }
  /** There is a difference, but it may be due to chance. */
  | { kind: 'unclear' }
  | ({ kind: 'clear' } & Change);

/** Evaluates the difference of two rates (two-proportion z-test). */
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
