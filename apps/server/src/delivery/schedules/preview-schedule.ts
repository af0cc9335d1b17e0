import { setImmediate as nextTurn } from 'node:timers/promises';
import { hoursOf, listStarts, plannedFor } from '@reachout/contract/rules/send-times.ts';
import type { SchedulePreview } from '@reachout/contract/schedules.ts';
import type { Audience } from '../../contacts/audiences/audience.ts';
import type { ContactRows } from '../../contacts/audiences/audience-sql.ts';
import { countZones } from '../../contacts/audiences/count-audience.ts';
import { findReading } from '../../contacts/audiences/readings.ts';
import type { OperationContext } from '../../identity/access/operations.ts';
import type { MailSetup } from '../../outreach/channels/channel.ts';
import { channels } from '../../outreach/channels/channels.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listTimeZones } from '../../platform/database/time-zones.queries.ts';
import { invalidTransition } from '../../platform/http/api-error.ts';
import type { ScheduleTime } from './schedule.queries.ts';
import { checkTimes, startOf, toSendTimes } from './send-times.ts';
import { notBeforeNow } from './send-times.queries.ts';

/** Further time zones are only counted. */
const maxZones = 10;

/**
 * Computes when the messages of a schedule would start, with the contacts that its audience has now.
 * @throws 404; 409 `invalid_transition` for a touchpoint without an audience; 422 `invalid_input`
 */
export async function previewSchedule(
  { organizationId, transaction, can }: Pick<OperationContext, 'organizationId' | 'transaction' | 'can'>,
  touchpointId: string,
  time: ScheduleTime,
  { publicUrl }: MailSetup,
): Promise<SchedulePreview> {
  checkTimes(time);
  return await transaction(async (trx) => {
    const { type, status } = await requireTouchpoint(trx, touchpointId);
    const { findAudience } = channels[type];
    if (findAudience === null) throw invalidTransition(status, 'scheduled');
    const { audience, showsContacts, brand } = await findAudience(trx, touchpointId, publicUrl);
    const quiet_hours = hoursOf(brand.quiet_hours_start, brand.quiet_hours_end);
    const times = toSendTimes(time, quiet_hours);
    const begin = await startOf(trx, time, time.start_date);
    const moment = { planned: time.start_date, now: await notBeforeNow(trx, begin) };
    const found =
      audience === undefined || !showsContacts || !can('read', 'Content')
        ? undefined
        : await countByZone(trx, organizationId, audience, time.contact_time_zones);
    const zones: {
      time_zone: string | null;
      count: number;
      isPast: boolean;
      first_at: string;
      last_at: string;
    }[] = [];
    for (const zone of found?.length ? found : [{ time_zone: null, count: 0 }]) {
      const starts = listStarts(times, moment, zone.time_zone);
      const isPast = plannedFor(time.start_date, times, zone.time_zone) < moment.now;
      zones.push({ ...zone, isPast, first_at: starts[0]!, last_at: starts.at(-1)! });
      // Long quiet hours take some milliseconds in each of up to 600 zones: requests of others go on meanwhile.
      await nextTurn();
    }
    const named = zones.filter((zone) => zone.time_zone !== null);
    const sum = (some: typeof zones) => some.reduce((total, { count }) => total + count, 0);
    return {
      first_at: zones.map(({ first_at }) => first_at).toSorted()[0] ?? begin,
      last_at:
        zones
          .map(({ last_at }) => last_at)
          .toSorted()
          .at(-1) ?? begin,
      recipients:
        found === undefined
          ? null
          : {
              count: sum(zones),
              past: sum(zones.filter(({ isPast }) => isPast)),
              without_zone: time.contact_time_zones ? sum(zones) - sum(named) : 0,
              zones: named
                .slice(0, maxZones)
                .map(({ time_zone, count, first_at }) => ({ time_zone: time_zone!, count, first_at })),
              zones_more: Math.max(0, named.length - maxZones),
            },
      quiet_hours,
    };
  });
}

/** @returns undefined for remote contacts that have not been read yet */
async function countByZone(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  isByZone: boolean,
): Promise<{ time_zone: string | null; count: number }[] | undefined> {
  const rows = await findRows(trx, organizationId, audience);
  if (rows === undefined) return undefined;
  const names = new Map(isByZone ? (await listTimeZones(trx)).map((name) => [name.toLowerCase(), name]) : []);
  const counts = await countZones(trx, organizationId, audience, [...names.keys()], rows);
  return counts.map(({ time_zone, count }) => ({
    time_zone: time_zone && (names.get(time_zone) ?? null),
    count,
  }));
}

async function findRows(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
): Promise<ContactRows | undefined> {
  if (audience.endpoint === null) return 'collection';
  const { readingId } = await findReading(trx, organizationId, audience);
  return readingId === undefined ? undefined : { readingId };
}
