import { useTranslation } from 'react-i18next';
import { useFormat, useTimeZone } from './format.ts';
import { wallTimeOf } from './zoned-time.ts';

/** The place that a time zone is named after: `New York`. */
export const cityOf = (timeZone: string): string =>
  timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/**
 * Formats a time in the zone that it was planned in, and in the user's if the clock shows another time there: "Tue, Mar 9, 2027,
 * 9:00 AM Berlin · 3:00 AM your time (New York)".
 */
export function usePlannedTime(): (at: string, timeZone: string | null) => string {
  const { t } = useTranslation('sends');
  const { locale } = useFormat();
  const ownZone = useTimeZone();
  return (at, timeZone) => {
    const write = (zone: string, ...parts: Intl.DateTimeFormatOptions[]) =>
      parts
        .map((part) => new Intl.DateTimeFormat(locale, { ...part, timeZone: zone }).format(new Date(at)))
        .join(', ');
    const zone = timeZone ?? ownZone;
    const date = { ...day, year: 'numeric' } as const;
    const time = write(zone, date, clock);
    if (write(ownZone, date, clock) === time) return t('planned.at', { time, city: cityOf(zone) });
    const isSameDay = write(zone, day) === write(ownZone, day);
    return t('planned.both', {
      time,
      city: cityOf(zone),
      own: isSameDay ? write(ownZone, clock) : write(ownZone, day, clock),
      ownCity: cityOf(ownZone),
    });
  };
}

// Separate: the short style of a time cannot be combined with parts of a date.
const day = { weekday: 'short', month: 'short', day: 'numeric' } as const;
const clock = { timeStyle: 'short' } as const;

/** Formats how far ahead a time is: "in 3 hours", or in days of the calendar: "tomorrow", "in 40 days". */
export function useDistance(): (at: string, now: number) => string {
  const format = useFormat();
  const timeZone = useTimeZone();
  return (at, now) => {
    const dayOf = (one: Date) => Date.parse(wallTimeOf(one, timeZone).slice(0, 10));
    const days = (dayOf(new Date(at)) - dayOf(new Date(now))) / 86_400_000;
    return days < 1
      ? format.relative(at, new Date(now))
      : new Intl.RelativeTimeFormat(format.locale, { numeric: 'auto' }).format(days, 'day');
  };
}
