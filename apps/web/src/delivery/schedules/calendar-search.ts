import { checked, compact, readChoice, readUuid } from '#web/platform/list-search.ts';

// Separate from the page because its route imports it, and with that it is part of the first load.

export const calendarViews = ['month', 'week', 'agenda'] as const;
export type CalendarView = (typeof calendarViews)[number];

export interface CalendarSearch {
  /** Default: the month, and the agenda on phones. */
  view?: CalendarView;
  /** A day of the period, `2027-03-09`. Default: today. */
  date?: string;
  brand?: string;
  campaign?: string;
}

export const readCalendarSearch = checked((raw): CalendarSearch =>
  compact({
    view: readChoice(raw['view'], calendarViews),
    date: readDay(raw['date']),
    brand: readUuid(raw['brand']),
    campaign: readUuid(raw['campaign']),
  }),
);

const readDay = (value: unknown): string | undefined =>
  typeof value === 'string' && /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
