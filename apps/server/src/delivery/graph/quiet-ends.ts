import { hoursOf, listStarts } from '@reachout/contract/rules/send-times.ts';
import { getBrandKit } from '../../clients/brands/brand-kit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listTimeZones } from '../../platform/database/time-zones.queries.ts';

/**
 * When the quiet hours end in which a message would be due.
 * @param zone  the time zone of the contact in lower case; null, or one that does not exist: that of the brand
 * @returns undefined outside of them
 */
export type FindQuietEnd = (zone: string | null, at: string) => string | undefined;

/** @returns undefined for a brand without quiet hours */
export async function findQuietHours(trx: Transaction, brandId: string): Promise<FindQuietEnd | undefined> {
  const { time_zone, quiet_hours_start, quiet_hours_end } = await getBrandKit(trx, brandId);
  const quiet_hours = hoursOf(quiet_hours_start, quiet_hours_end);
  if (quiet_hours === null) return undefined;
  const known = new Map((await listTimeZones(trx)).map((name) => [name.toLowerCase(), name]));
  const always = { contact_time_zones: false, spread_minutes: null, window: null, quiet_hours };
  return (zone, at) => {
    const times = { ...always, time_zone: known.get(zone ?? '') ?? time_zone ?? 'UTC' };
    const [end = at] = listStarts(times, { planned: at, now: at }, null);
    return end > at ? end : undefined;
  };
}
