export interface Change {
  direction: 'more' | 'less' | 'same';
  /** Never negative. A ratio, 0.5 for an increase by half, or a difference of counts, or percentage points. */
  amount: number;
  unit: 'ratio' | 'count' | 'points';
}

export type Rate = readonly [part: number, base: number];

/** Below it, a percentage would make a large number of a few people. */
const smallCount = 30;

export function changeOfCount(now: number, before: number): Change {
  return before < smallCount
    ? toChange(now - before, 'count')
    : toChange(Number(((now - before) / before).toFixed(3)), 'ratio');
}

/**
 * The difference of both rates as they are shown, so that the three numbers add up.
 * @returns undefined if one of the rates has no base
 */
export const changeOfRate = (now: Rate, before: Rate): Change | undefined =>
  now[1] === 0 || before[1] === 0
    ? undefined
    : toChange(Number((shownPercent(now) - shownPercent(before)).toFixed(1)), 'points');

const toChange = (difference: number, unit: Change['unit']): Change => ({
  direction: difference === 0 ? 'same' : difference > 0 ? 'more' : 'less',
  amount: Math.abs(difference),
  unit,
});

/** Rounds like `Format.rate`, also where a number is between two. */
const shown = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1, useGrouping: false });
const shownPercent = ([part, base]: Rate): number => Number.parseFloat(shown.format(part / base));
