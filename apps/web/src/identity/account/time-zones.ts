export interface TimeZoneChoice {
  value: string;
  label: string;
}

/** All time zones of the browser and UTC, with their UTC offset at the given time: `Europe/Berlin (UTC+01:00)`. */
export function listTimeZones(at: Date): TimeZoneChoice[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: `${value.replaceAll('_', ' ')} (${offsetOf(value, at)})`,
  }));
}

function offsetOf(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return name.replace('GMT', 'UTC');
}
