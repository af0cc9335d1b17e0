import type { Occurrence } from '@reachout/contract/schedules.ts';
import { instantOf, wallTimeOf } from '#web/i18n/zoned-time.ts';
import type { CalendarView } from './calendar-search.ts';

/** A day of a calendar: `2027-03-09`. */
export type Day = string;

const dayMs = 86_400_000;
const agendaDays = 28;

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

export const daysBetween = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / dayMs;

/** The days that a view shows, at most 42. @param weekStart  1 for Monday, to 7 for Sunday */
export function daysOf(view: CalendarView, date: Day, weekStart: number): Day[] {
  if (view === 'agenda') return listDays(date, agendaDays);
  if (view === 'week') return listDays(startOfWeek(date, weekStart), 7);
  const first = startOfWeek(`${date.slice(0, 8)}01`, weekStart);
  const last = addDays(addMonths(date, 1), -1);
  return listDays(first, 7 * Math.ceil((daysBetween(first, last) + 1) / 7));
}

/** The date of the period before or after. */
export function shiftPeriod(view: CalendarView, date: Day, steps: 1 | -1): Day {
  if (view === 'month') return addMonths(date, steps);
  return addDays(date, steps * (view === 'week' ? 7 : agendaDays));
}

/** The first day of a later or earlier month. */
function addMonths(date: Day, months: number): Day {
  const [year, month] = date.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

function startOfWeek(day: Day, weekStart: number): Day {
  const weekday = new Date(day).getUTCDay();
  return addDays(day, -((weekday - weekStart + 7) % 7));
}

const listDays = (first: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => addDays(first, index));

export const dayOf = (at: string, timeZone: string): Day => wallTimeOf(at, timeZone).slice(0, 10);

/** Moves a time by whole days: the clock in its zone shows the same time. */
export function moveByDays(at: string, timeZone: string, days: number): string {
  const wallTime = wallTimeOf(at, timeZone);
  return instantOf(`${addDays(wallTime.slice(0, 10), days)}${wallTime.slice(10)}`, timeZone)!.toISOString();
}

/** Of every brand, the emails to come that are less than a day after or before another one. @returns their keys */
export function findClose(entries: readonly Occurrence[], now: number): Set<string> {
  const close = new Set<string>();
  const last = new Map<string, Occurrence>();
  for (const entry of entries) {
    if (entry.status === 'cancelled' || entry.status === 'failed') continue;
    const before = last.get(entry.brand.id);
    last.set(entry.brand.id, entry);
    if (before === undefined || Date.parse(entry.at) <= now) continue;
    if (Date.parse(entry.at) - Date.parse(before.at) < dayMs) close.add(before.key).add(entry.key);
  }
  return close;
}
