import { useTranslation } from 'react-i18next';
import { currentPreferences, usePreferences, type Preferences } from '#web/platform/preferences.ts';
import { formatLocale } from './region.ts';

/**
 * Formats numbers, dates and lists according to the user's preferences.
 * @param locale  BCP 47, with the region that determines separators and the order of dates
 * @param timeZone  time zone for points in time; undefined for the browser's
 */
export function createFormat(locale: string, timeZone?: string) {
  const zone = timeZone === undefined ? {} : { timeZone };
  const whole = new Intl.NumberFormat(locale);
  const fraction = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 2 });
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const rate = new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...zone });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...zone });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...zone });
  const exactClock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', ...zone });
  const since = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const and = new Intl.ListFormat(locale, { type: 'conjunction' });
  const anyNumber = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
  const calendarDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const wallClock = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const bytes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

  return {
    locale,
    number: (value: number) => whole.format(value),
    decimal: (value: number) => fraction.format(value),
    /** With all of its digits. */
    exact: (value: number) => anyNumber.format(value),
    compact: (value: number) => short.format(value),
    /** @param ratio 0.234 for 23.4% */
    percent: (ratio: number) => share.format(ratio),
    /** Always with one decimal, to be compared: 42.0%. */
    rate: (ratio: number) => rate.format(ratio),
    date: (value: Date | string) => day.format(new Date(value)),
    dateTime: (value: Date | string) => moment.format(new Date(value)),
    /** @param value 2026-03-09, or 2026-03-09T10:00:00: formatted the same in every time zone */
    withoutZone: (value: string) =>
      value.includes('T') ? wallClock.format(new Date(`${value}Z`)) : calendarDay.format(new Date(value)),
    deadline: (value: Date | string) => deadline(locale, timeZone, new Date(value)),
    time: (value: Date | string) => clock.format(new Date(value)),
    /** With seconds. */
    exactTime: (value: Date | string) => exactClock.format(new Date(value)),
    list: (values: readonly string[]) => and.format(values),
    size: (count: number) =>
      count < 1_000
        ? `${whole.format(count)} B`
        : count < 1_000_000
          ? `${bytes.format(count / 1000)} kB`
          : `${bytes.format(count / 1_000_000)} MB`,
    relative: (value: Date | string, now: Date = new Date()) => relative(since, day, new Date(value), now),
  };
}

export type Format = ReturnType<typeof createFormat>;

/** The time zone of all times on screen. */
export function useTimeZone(): string {
  const { time_zone: timeZone } = usePreferences();
  return timeZone ?? browserTimeZone();
}

const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `useTimeZone` outside components. */
export const currentTimeZone = (): string => currentPreferences().time_zone ?? browserTimeZone();

const cache = new Map<string, Format>();

/** The formatters for the current language, region and time zone; the same object until one of them changes. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  return formatFor(i18n.language, usePreferences());
}

/** The current formatters, for use outside components. */
export const currentFormat = (language: string): Format => formatFor(language, currentPreferences());

function formatFor(language: string, { region, time_zone: timeZone }: Preferences): Format {
  const locale = formatLocale(language, region, navigator.languages);
  const name = `${locale} ${timeZone ?? ''}`;
  const known = cache.get(name);
  if (known) return known;
  const created = createFormat(locale, timeZone);
  cache.set(name, created);
  return created;
}

/**
 * Formats a point in time that an email states in UTC: with the time zone, and additionally in UTC if the day differs there.
 */
function deadline(locale: string, timeZone: string | undefined, at: Date): string {
  const write = (zone: { timeZone?: string }) =>
    new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
      ...zone,
    }).format(at);
  const dayIn = (zone: { timeZone?: string }) => new Intl.DateTimeFormat('en', zone).format(at);
  const here = timeZone === undefined ? {} : { timeZone };
  const inMail = { timeZone: 'UTC' };
  return dayIn(here) === dayIn(inMail) ? write(here) : `${write(here)} (${write(inMail)})`;
}

const minute = 60;
const hour = 60 * minute;
const dayLength = 24 * hour;

/** Relative up to a week, then the date: "4 minutes ago" helps, "213 days ago" does not. */
function relative(since: Intl.RelativeTimeFormat, day: Intl.DateTimeFormat, value: Date, now: Date): string {
  const seconds = Math.round((value.getTime() - now.getTime()) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 45) return since.format(0, 'second');
  if (distance < hour) return since.format(Math.trunc(seconds / minute) || Math.sign(seconds), 'minute');
  if (distance < dayLength) return since.format(Math.trunc(seconds / hour), 'hour');
  if (distance < 7 * dayLength) return since.format(Math.trunc(seconds / dayLength), 'day');
  return day.format(value);
}
