import type { PeriodUnit } from '@reachout/contract/statistics.ts';

/** Axis label of a bucket. */
const axis: Record<PeriodUnit, Intl.DateTimeFormatOptions> = {
  minute: { timeStyle: 'short' },
  hour: { timeStyle: 'short' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
};
/** Axis label of an hour if the chart covers several days. */
const hourOfDay: Intl.DateTimeFormatOptions = { weekday: 'short', hour: 'numeric', minute: '2-digit' };
const hoursOfDay = 24;

/** Formats the start of a chart's bucket. */
export const bucketFormat = (
  locale: string,
  { unit, time_zone: timeZone, rows }: { unit: PeriodUnit; time_zone: string; rows: readonly unknown[] },
): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, {
    ...(unit === 'hour' && rows.length > hoursOfDay ? hourOfDay : axis[unit]),
    timeZone,
  });
