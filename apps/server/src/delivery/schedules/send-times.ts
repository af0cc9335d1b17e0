import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  earliestStart,
  hoursOf,
  isShort,
  listStarts,
  maxSendDays,
  type SendTimes,
} from '@reachout/contract/rules/send-times.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listTimeZones } from '../../platform/database/time-zones.queries.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { getTimesSource, type LockedSend } from '../../queue/send.queries.ts';
import type { Starts } from '../../queue/snapshot-statements.queries.ts';
import type { ScheduleTime } from './schedule.queries.ts';
import { getSendTimes, notBeforeNow } from './send-times.queries.ts';

type Times = Pick<ScheduleTime, 'contact_time_zones' | 'spread_minutes' | 'window_start' | 'window_end'>;

/** All messages start at the time of the schedule. */
export const allTogether: Times = {
  contact_time_zones: false,
  spread_minutes: null,
  window_start: null,
  window_end: null,
};

/** The columns of a schedule that say when its messages start. @param changes  the given ones replace them */
export const timesOf = (
  { contact_time_zones, spread_minutes, window_start, window_end }: Times,
  changes: { [Name in keyof Times]?: Times[Name] | undefined } = {},
): Times => ({
  contact_time_zones: changes.contact_time_zones ?? contact_time_zones,
  spread_minutes: changes.spread_minutes === undefined ? spread_minutes : changes.spread_minutes,
  window_start: changes.window_start === undefined ? window_start : changes.window_start,
  window_end: changes.window_end === undefined ? window_end : changes.window_end,
});

export const toSendTimes = (
  { time_zone, contact_time_zones, spread_minutes, window_start, window_end }: Times & { time_zone: string },
  quiet_hours: SendTimes['quiet_hours'],
): SendTimes => ({
  time_zone,
  contact_time_zones,
  spread_minutes,
  window: hoursOf(window_start, window_end),
  quiet_hours,
});

/** @throws 422 `invalid_input` for a spread that would take too long because of its window */
export function checkTimes(time: ScheduleTime): void {
  if (!isShort(toSendTimes(time, null), time.start_date))
    throw invalidInput(
      'spread_minutes',
      `With this window the messages would take more than ${maxSendDays} days. Choose a shorter spread or a longer window.`,
    );
}

/** When the send of an occurrence has to start: in the zones of contacts before its time, but not before now. */
export const startOf = async (
  trx: Transaction,
  time: Pick<ScheduleTime, 'time_zone' | 'contact_time_zones'>,
  occurrence: string,
): Promise<string> =>
  time.contact_time_zones ? await notBeforeNow(trx, earliestStart(occurrence, time)) : occurrence;

/**
 * Decides when the messages of a send that is being prepared may start. A follow-up is a decision of its own: of the schedule
 * of its parent, only the zone in which hours are quiet applies.
 * @returns undefined if all of them may start at once
 */
export async function planStarts(
  trx: Transaction,
  { id, kind, occurrence_at }: LockedSend,
): Promise<Starts | undefined> {
  const source = await getTimesSource(trx, id);
  const { now, quiet_hours_start, quiet_hours_end, ...row } = await getSendTimes(trx, source);
  const isScheduled = kind === 'campaign' && row.contact_time_zones !== null;
  const contact_time_zones = isScheduled && row.contact_time_zones === true;
  const times = toSendTimes({ ...row, contact_time_zones }, hoursOf(quiet_hours_start, quiet_hours_end));
  const moment = { planned: isScheduled ? (occurrence_at ?? now) : now, now };
  const startsFor = (zone: string | null) =>
    listStarts(times, moment, zone).map((at) => (at <= now ? null : at));

  const lists = new Map<string, { index: number; starts: (string | null)[] }>();
  const indexOf = (zone: string | null) => {
    const starts = startsFor(zone);
    const key = starts.join();
    const index = lists.get(key)?.index ?? lists.size;
    lists.set(key, { index, starts });
    return index;
  };
  indexOf(null);
  const zones: { name: string; index: number }[] = [];
  for (const name of contact_time_zones ? await listTimeZones(trx) : []) {
    zones.push({ name: name.toLowerCase(), index: indexOf(name) });
    // Long quiet hours take some milliseconds in each zone: messages go out meanwhile.
    await nextTurn();
  }
  const all = [...lists.values()].map(({ starts }) => starts);
  return all.flat().every((at) => at === null) ? undefined : { zones, times: all };
}
