export interface Change {
  direction: 'more' | 'less' | 'same';
  /** Never negative. For counts a ratio, 0.5 for an increase by half; for rates percentage points. */
  amount: number;
}

export type Rate = readonly [part: number, base: number];

/** @returns undefined if the earlier count is 0 */
export const changeOfCount = (now: number, before: number): Change | undefined =>
  before === 0 ? undefined : toChange((now - before) / before, 3);

/** @returns undefined if one of the rates has no base */
export const changeOfRate = ([part, base]: Rate, [partBefore, baseBefore]: Rate): Change | undefined =>
  base === 0 || baseBefore === 0 ? undefined : toChange((part / base - partBefore / baseBefore) * 100, 1);

/** @param digits  number of decimals shown: a difference that rounds to 0 is no change */
function toChange(difference: number, digits: number): Change {
  const amount = Number(Math.abs(difference).toFixed(digits));
  return { direction: amount === 0 ? 'same' : difference > 0 ? 'more' : 'less', amount };
}
