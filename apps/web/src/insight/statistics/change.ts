export interface Change {
  direction: 'more' | 'less' | 'same';
  /** Never negative. Of counts a share, 0.5 for half as much again; of rates percentage points. */
  amount: number;
}

export type Rate = readonly [part: number, base: number];

/** @returns undefined where there was nothing before */
export const changeOfCount = (now: number, before: number): Change | undefined =>
  before === 0 ? undefined : toChange((now - before) / before, 3);

/** @returns undefined where one of them has no base */
export const changeOfRate = ([part, base]: Rate, [partBefore, baseBefore]: Rate): Change | undefined =>
  base === 0 || baseBefore === 0 ? undefined : toChange((part / base - partBefore / baseBefore) * 100, 1);

/** @param digits  that are shown: what rounds to nothing is no change */
function toChange(difference: number, digits: number): Change {
  const amount = Number(Math.abs(difference).toFixed(digits));
  return { direction: amount === 0 ? 'same' : difference > 0 ? 'more' : 'less', amount };
}
