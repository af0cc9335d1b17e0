// Converts between points in time and what a date and time input shows. Every such input is in the user's time zone, like
// all times on screen; browsers themselves know only their own.

/**
 * @param timeZone  IANA name, or an offset such as +02:00
 * @returns the time for `datetime-local`, with seconds only where there are some; empty for an invalid time
 */
export function wallTimeOf(at: Date | string, timeZone: string): string {
  const epochMs = new Date(at).getTime();
  if (Number.isNaN(epochMs)) return '';
  return new Date(epochMs + offsetMs(epochMs, timeZone)).toISOString().replace(/(?::00)?\.000Z$|Z$/, '');
}

/**
 * Of a time that occurs twice when clocks go back, the first is meant; one that is skipped moves forward by the change, as
 * in Temporal.
 * @param wallTime  date, or date and time, without a zone
 */
export function instantOf(wallTime: string, timeZone: string): Date | undefined {
  const wallMs = Date.parse(`${wallTime.includes('T') ? wallTime : `${wallTime}T00:00`}Z`);
  if (Number.isNaN(wallMs)) return undefined;
  const [before, after] = [-dayMs, dayMs].map((shift) => offsetMs(wallMs + shift, timeZone)) as [
    number,
    number,
  ];
  const fits = (offset: number) => offsetMs(wallMs - offset, timeZone) === offset;
  return new Date(wallMs - (!fits(before) && fits(after) ? after : before));
}

/** A point in time with the zone in which it was entered: RFC 9557, `2026-03-29T00:00:00+01:00[Europe/Berlin]`. */
export function zonedTextOf(wallTime: string, timeZone: string): string | undefined {
  const at = instantOf(wallTime, timeZone);
  if (at === undefined) return undefined;
  const offset = offsetMs(at.getTime(), timeZone);
  const minutes = Math.abs(Math.round(offset / 60_000));
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  const shown = `${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
  const wall = new Date(at.getTime() + offset).toISOString().replace(/(\.000)?Z$/, '');
  return `${wall}${shown}[${timeZone}]`;
}

/**
 * Reads the time of a rule as the server does: with a zone, with an offset, or without both, which means UTC.
 * @returns the time for `datetime-local` in the zone that the text names, otherwise in UTC; undefined for other texts
 */
export function readZonedText(text: string): { wallTime: string; timeZone: string } | undefined {
  const [, time, date, clock = 'T00:00', offset = 'Z', zone = 'UTC'] =
    /^((\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|z|[+-]\d\d:?\d\d)?)(?:\[([^\]]+)\])?$/.exec(
      text,
    ) ?? [];
  if (time === undefined) return undefined;
  const wallTime = wallTimeOf(`${date}${clock.replace(' ', 'T')}${offset.toUpperCase()}`, zone);
  return wallTime === '' ? undefined : { wallTime, timeZone: zone };
}

const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The offset of a zone from UTC at a point in time. */
function offsetMs(epochMs: number, timeZone: string): number {
  const format = formats.get(timeZone) ?? createFormat(timeZone);
  formats.set(timeZone, format);
  const part = (wanted: string) =>
    Number(format.formatToParts(epochMs).find(({ type }) => type === wanted)?.value ?? 0);
  const wallMs = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return wallMs - Math.floor(epochMs / 1_000) * 1_000;
}

const createFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    calendar: 'gregory',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
