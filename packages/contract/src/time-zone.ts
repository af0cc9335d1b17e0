/** A clock reading in some time zone, without the zone. `month` is 1 to 12. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const minuteMs = 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();
/** About 440 zones have names, and few are in use at a time. */
const rememberedFormats = 100;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    // Zones can be written in any case: what people send must not fill the memory.
    if (formats.size >= rememberedFormats) formats.clear();
    formats.set(timeZone, format);
  }
  return format;
}

/** What the clocks of a zone show less what UTC shows, in milliseconds. */
function offsetAt(instantMs: number, timeZone: string): number {
  const fields: Record<string, string> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instantMs)) fields[type] = value;
  const year = Number(fields['year']) * (fields['era'] === 'BC' ? -1 : 1);
  const shown = utcOf(
    {
      year,
      month: Number(fields['month']),
      day: Number(fields['day']),
      hour: Number(fields['hour']),
      minute: Number(fields['minute']),
    },
    Number(fields['second']),
  );
  return shown - Math.floor(instantMs / 1_000) * 1_000;
}

/** @param instantMs  milliseconds since 1970 */
export function wallTimeAt(instantMs: number, timeZone: string): WallTime {
  const shown = new Date(instantMs + offsetAt(instantMs, timeZone));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
  };
}

/**
 * The instant at which a zone's clocks show a time, in milliseconds since 1970. Fields may overflow: day 0 is the last
 * of the month before. A time that clocks skip means as much later as they jump; of one that they show twice, the first.
 */
export function instantOf(wall: WallTime, timeZone: string): number {
  const shown = utcOf(wall);
  // A day to either side is beyond any change of clocks, and no zone changes its clocks twice in two days.
  const offsetBefore = offsetAt(shown - 24 * 60 * minuteMs, timeZone);
  const offsetAfter = offsetAt(shown + 24 * 60 * minuteMs, timeZone);
  for (const offset of [Math.max(offsetBefore, offsetAfter), Math.min(offsetBefore, offsetAfter)]) {
    if (offsetAt(shown - offset, timeZone) === offset) return shown - offset;
  }
  return shown - offsetBefore;
}

/** The last full hour of a zone's clocks: not always one of UTC, see Asia/Kolkata. */
export function startOfHour(instantMs: number, timeZone: string): number {
  const hourMs = 60 * minuteMs;
  const shown = instantMs + offsetAt(instantMs, timeZone);
  return instantMs - (((shown % hourMs) + hourMs) % hourMs);
}

export const startOfMinute = (instantMs: number): number => Math.floor(instantMs / minuteMs) * minuteMs;

/** Monday is 0. */
export const weekdayOf = ({ year, month, day }: WallTime): number =>
  (new Date(utcOf({ year, month, day, hour: 0, minute: 0 })).getUTCDay() + 6) % 7;

function utcOf({ year, month, day, hour, minute }: WallTime, second = 0): number {
  const date = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime();
}
