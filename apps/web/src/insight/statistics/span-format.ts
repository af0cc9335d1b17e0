import type { PeriodUnit } from '@reachout/contract/statistics.ts';

/** Whether the ends of a period are times rather than days. */
export const isClock = (unit: PeriodUnit): boolean => unit === 'minute' || unit === 'hour';

/** Writes periods as dates, and with times if they are shown by minute or hour. */
export function spanFormat(locale: string, unit: PeriodUnit, timeZone: string) {
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    ...(isClock(unit) ? { timeStyle: 'short' } : {}),
    timeZone,
  });
  // The end is excluded: midnight is of the day before.
  const last = (until: string) => new Date(Date.parse(until) - (isClock(unit) ? 0 : 1));
  return {
    start: (from: string | number) => format.format(new Date(from)),
    end: (until: string) => format.format(last(until)),
    range: ({ from, until }: { from: string; until: string }) =>
      format.formatRange(new Date(from), last(until)),
  };
}
