import { hoursOf, listStarts } from '@reachout/contract/rules/send-times.ts';
import type { BrandKit } from '../../../clients/brands/brand-kit.ts';

/** When messages may start, and the time zone of the quiet hours that delay them. */
export interface QuietEnd {
  at: string;
  time_zone: string;
}

/** @returns when the quiet hours of a brand end; undefined outside of them */
export function findQuietEnd(
  { time_zone, quiet_hours_start, quiet_hours_end }: BrandKit,
  now: Date,
): QuietEnd | undefined {
  const zone = time_zone ?? 'UTC';
  const planned = now.toISOString();
  const [at = planned] = listStarts(
    {
      time_zone: zone,
      contact_time_zones: false,
      spread_minutes: null,
      window: null,
      quiet_hours: hoursOf(quiet_hours_start, quiet_hours_end),
    },
    { planned, now: planned },
    null,
  );
  return at > planned ? { at, time_zone: zone } : undefined;
}
