import { useTranslation } from 'react-i18next';

/**
 * Numbers, dates and lists in the reader's way of writing. The region comes from the browser where it speaks the
 * chosen language (a Swiss reader of German gets 1’234), else from the language itself.
 */
export function createFormat(language: string) {
  const locale =
    navigator.languages.find((candidate) => candidate.toLowerCase().startsWith(language)) ?? language;
  const whole = new Intl.NumberFormat(locale);
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const since = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const and = new Intl.ListFormat(locale, { type: 'conjunction' });
  const bytes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

  return {
    locale,
    number: (value: number) => whole.format(value),
    compact: (value: number) => short.format(value),
    /** @param ratio 0.234 for 23.4% */
    percent: (ratio: number) => share.format(ratio),
    date: (value: Date | string) => day.format(new Date(value)),
    dateTime: (value: Date | string) => moment.format(new Date(value)),
    time: (value: Date | string) => clock.format(new Date(value)),
    list: (values: readonly string[]) => and.format(values),
    size: (count: number) =>
      count < 1_000_000 ? `${bytes.format(count / 1000)} kB` : `${bytes.format(count / 1_000_000)} MB`,
    relative: (value: Date | string, now: Date = new Date()) => relative(since, day, new Date(value), now),
  };
}

export type Format = ReturnType<typeof createFormat>;

const cache = new Map<string, Format>();

/** The formatters of the current language; the same object until the language changes. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  const known = cache.get(i18n.language);
  if (known) return known;
  const created = createFormat(i18n.language);
  cache.set(i18n.language, created);
  return created;
}

const minute = 60;
const hour = 60 * minute;
const dayLength = 24 * hour;

/** Words up to a week away, the date beyond: "4 minutes ago" helps, "213 days ago" does not. */
function relative(since: Intl.RelativeTimeFormat, day: Intl.DateTimeFormat, value: Date, now: Date): string {
  const seconds = Math.round((value.getTime() - now.getTime()) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 45) return since.format(0, 'second');
  if (distance < hour) return since.format(Math.trunc(seconds / minute) || Math.sign(seconds), 'minute');
  if (distance < dayLength) return since.format(Math.trunc(seconds / hour), 'hour');
  if (distance < 7 * dayLength) return since.format(Math.trunc(seconds / dayLength), 'day');
  return day.format(value);
}
