/** Periods that screens offer, in the format of the API (docs/statistics.md, "Periods"). */
export const periodPresets = ['24hour', '1day', '-1day', '7day', '30day', '90day', '12month'] as const;

/** Days such as 2026-03-09, both included. */
export interface DayRange {
  from: string;
  to: string;
}

const separator = '::';
const earliest = '1970-01-02';
const latest = '2199-12-30';

export const rangeText = ({ from, to }: DayRange): string => `${from}${separator}${to}`;

/** @returns the days of a period that is a range of days, otherwise undefined */
export function readRange(period: string): DayRange | undefined {
  const [from = '', to = '', ...more] = period.split(separator);
  const range = { from, to };
  return more.length === 0 && rangeError(range) === undefined ? range : undefined;
}

/**
 * @param today  if given, the range must not begin later
 * @returns what is wrong with the range, and in which field
 */
export function rangeError(
  { from, to }: DayRange,
  today = latest,
): { field: keyof DayRange; problem: 'missing' | 'order' | 'future' } | undefined {
  if (!isDay(from)) return { field: 'from', problem: 'missing' };
  if (!isDay(to)) return { field: 'to', problem: 'missing' };
  if (from > to) return { field: 'to', problem: 'order' };
  return from > today ? { field: 'from', problem: 'future' } : undefined;
}

/** A day that exists, within the bounds of the API. */
function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN;
  return (
    !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) && text >= earliest && text <= latest
  );
}

/** For search parameters: the period if it is a preset or a range of days, otherwise undefined. */
export const readPeriodChoice = (value: unknown): string | undefined =>
  typeof value === 'string' && (periodPresets.some((preset) => preset === value) || readRange(value))
    ? value
    : undefined;
