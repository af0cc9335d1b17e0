/** Hours of a day, `HH:MM`, without the end. They end on the next day if the end is not after the start. */
export interface DayHours {
  start: string;
  end: string;
}

/** When the messages of a send may start. */
export interface SendTimes {
  /** IANA name: of the schedule, or of the brand for a send without one. */
  time_zone: string;
  /** Whether the local time of the schedule is meant in the zone of each contact. */
  contact_time_zones: boolean;
  /** The messages are spread evenly over so many minutes in which they may start. */
  spread_minutes: number | null;
  /** Messages start only within these hours. */
  window: DayHours | null;
  /** No message starts within these hours. */
  quiet_hours: DayHours | null;
}

export interface Moment {
  /** The planned time, ISO 8601. */
  planned: string;
  /** Nothing starts before; ISO 8601. */
  now: string;
}

/** Longer plans are refused: their audience would be outdated. */
export const maxSendDays = 31;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Here each local time comes first: 14 hours ahead of UTC, all year. */
const earliestZone = 'Pacific/Kiritimati';
/** From 14 hours ahead of UTC to 12 hours behind. */
const zonesMinutes = 26 * 60;

/** When a send has to begin so that it is on time in every zone: for contacts east of the schedule before its own time. */
export const earliestStart = (
  planned: string,
  times: Pick<SendTimes, 'time_zone' | 'contact_time_zones'>,
): string => (times.contact_time_zones ? inZone(planned, times.time_zone, earliestZone) : planned);

/** The planned local time in the zone of a contact; without a zone, in that of the schedule. */
export const plannedFor = (
  planned: string,
  times: Pick<SendTimes, 'time_zone' | 'contact_time_zones'>,
  contactZone: string | null,
): string =>
  times.contact_time_zones && contactZone !== null ? inZone(planned, times.time_zone, contactZone) : planned;

/**
 * Lists when the messages to the contacts of a zone may start: one instant for each step of the spread, in order. A time that
 * has passed is now, or when the next message may start after that.
 * @param contactZone  null without a valid one
 */
export function listStarts(times: SendTimes, moment: Moment, contactZone: string | null): string[] {
  const steps = countSteps(times);
  const spreadMs = (times.spread_minutes ?? 0) * minuteMs;
  const offsets = Array.from({ length: steps }, (_, step) => Math.round((step * spreadMs) / steps));
  return advance(times, moment, contactZone, offsets, false);
}

/** When the last message to the contacts of a zone has started, if the mail server takes them as they come. */
export const projectedEnd = (times: SendTimes, moment: Moment, contactZone: string | null): string =>
  advance(times, moment, contactZone, [(times.spread_minutes ?? 0) * minuteMs], true)[0]!;

/** Each step is a part of the audience that starts together: bounded, because each has its own chunks. */
const maxSteps = 300;
/** All divide an hour, and most zones differ by a multiple of them: steps of different zones are then at the same instants. */
const stepMinutes = [1, 2, 3, 5, 10, 15, 30, 60];

function countSteps({ spread_minutes, contact_time_zones }: SendTimes): number {
  if (spread_minutes === null) return 1;
  const total = spread_minutes + (contact_time_zones ? zonesMinutes : 0);
  const step = stepMinutes.find((minutes) => total / minutes <= maxSteps) ?? 60;
  return Math.max(1, Math.ceil(spread_minutes / step));
}

/** The same local time in another zone. A time that does not exist is later by the gap; of two, it is the first. */
const inZone = (at: string, from: string, to: string): string =>
  toText(
    Temporal.Instant.from(at).toZonedDateTimeISO(from).toPlainDateTime().toZonedDateTime(to)
      .epochMilliseconds,
  );

/**
 * @param offsets  milliseconds after the start, ascending. They count only while messages may start, so that a spread over
 *   closed hours stays even instead of gathering at their end
 * @param isEnd  whether an offset that ends with the open hours ends there, instead of at the next opening
 */
function advance(
  times: SendTimes,
  { planned, now }: Moment,
  contactZone: string | null,
  offsets: readonly number[],
  isEnd: boolean,
): string[] {
  const from = Math.max(Date.parse(plannedFor(planned, times, contactZone)), Date.parse(now));
  const zone = times.contact_time_zones && contactZone !== null ? contactZone : times.time_zone;
  const found: string[] = [];
  let passed = 0;
  for (const [opensAt, closesAt] of openTimes(from, zone, times)) {
    const start = Math.max(opensAt, from);
    if (closesAt <= start) continue;
    const length = closesAt - start;
    for (let offset = offsets[found.length]; offset !== undefined; offset = offsets[found.length]) {
      const rest = offset - passed;
      if (isEnd ? rest > length : rest >= length) break;
      found.push(toText(start + rest));
    }
    if (found.length === offsets.length) break;
    passed += length;
  }
  // Beyond the last day that is considered, everything starts together.
  const last = found.at(-1) ?? toText(from);
  return [...found, ...Array.from({ length: offsets.length - found.length }, () => last)];
}

/** More days than any plan that is accepted; quiet hours that are longer now may delay what was accepted before. */
const consideredDays = 400;

/** Yields the times in which messages may start, from the day before a moment on. */
function* openTimes(
  from: number,
  zone: string,
  { window: given, quiet_hours: quiet }: SendTimes,
): Generator<readonly [number, number]> {
  if (given === null && quiet === null) {
    yield [from, Infinity];
    return;
  }
  const window = hasOpenTime(given, quiet) ? given : null;
  const resolve = (date: Temporal.PlainDate, time: string) =>
    date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
  const hoursOn = (date: Temporal.PlainDate, { start, end }: DayHours) =>
    [resolve(date, start), resolve(end > start ? date : date.add({ days: 1 }), end)] as const;
  const first = Temporal.Instant.fromEpochMilliseconds(from)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .subtract({ days: 1 });
  for (let days = 0; days < consideredDays; days += 1) {
    const date = first.add({ days });
    const open = hoursOn(date, window ?? { start: '00:00', end: '00:00' });
    const closed =
      quiet === null ? [] : [-1, 0, 1].map((offset) => hoursOn(date.add({ days: offset }), quiet));
    yield* without(open, closed);
  }
}

/** Cuts times, in order, out of another. */
function without(
  [start, end]: readonly [number, number],
  closed: readonly (readonly [number, number])[],
): (readonly [number, number])[] {
  const parts: [number, number][] = [];
  let from = start;
  for (const [closesAt, opensAt] of closed) {
    if (opensAt <= from || closesAt >= end || opensAt <= closesAt) continue;
    if (closesAt > from) parts.push([from, closesAt]);
    from = opensAt;
  }
  if (from < end) parts.push([from, end]);
  return parts;
}

/** Whether a window is not wholly within quiet hours. Otherwise these alone apply: they exclude nobody. */
export function hasOpenTime(window: DayHours | null, quiet: DayHours | null): boolean {
  if (window === null || quiet === null) return true;
  const opens = toMinutes(window.start);
  return Array.from({ length: lengthOf(window) }, (_, offset) => (opens + offset) % 1_440).some(
    (minute) => (minute - toMinutes(quiet.start) + 1_440) % 1_440 >= lengthOf(quiet),
  );
}

/** Whether a plan ends within `maxSendDays` after it begins. */
export const isShort = (times: SendTimes, planned: string): boolean =>
  Date.parse(projectedEnd(times, { planned, now: planned }, null)) - Date.parse(planned) <=
  maxSendDays * dayMs;

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const lengthOf = ({ start, end }: DayHours): number =>
  (toMinutes(end) - toMinutes(start) + 1_440) % 1_440 || 1_440;

/** @returns the hours that two columns have, null without */
export const hoursOf = (start: string | null, end: string | null): DayHours | null =>
  start === null || end === null ? null : { start, end };

/** The form of timestamps in responses. */
const toText = (ms: number): string => new Date(ms).toISOString();
