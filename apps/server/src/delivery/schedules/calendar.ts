import { setImmediate as nextTurn } from 'node:timers/promises';
import { listOccurrences } from '@reachout/contract/rules/recurrence.ts';
import {
  maxCalendarDays,
  maxCalendarEntries,
  maxRepeatingSchedules,
  type Occurrence,
} from '@reachout/contract/schedules.ts';
import { plannedStatus } from '@reachout/contract/states/send.ts';
import { splitBrand } from '../../clients/brands/brand.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import {
  listRepeating,
  listSendsOfPeriod,
  type CalendarQuery,
  type CalendarRow,
} from './calendar.queries.ts';

const dayMs = 86_400_000;

/**
 * Lists the sends of a period, and the occurrences of schedules that have no send yet, in order of time.
 * @throws 422 `invalid_input` for a period that is too long or ends before it begins
 */
export async function listCalendar(
  trx: Transaction,
  query: CalendarQuery,
): Promise<{ items: Occurrence[]; is_cut: boolean }> {
  const from = Date.parse(query.from);
  const to = Date.parse(query.to);
  if (to <= from || to - from > maxCalendarDays * dayMs + dayMs / 12)
    throw invalidInput('to', `Use a time at most ${maxCalendarDays} days after the start of the period.`);
  const limit = maxCalendarEntries + 1;
  const sends = await listSendsOfPeriod(trx, query, limit);
  const repeating = await listRepeating(trx, query, maxRepeatingSchedules + 1);
  const planned: CalendarRow[] = [];
  for (const { start_date, ...row } of repeating.slice(0, maxRepeatingSchedules)) {
    const series = { start_date, time_zone: row.time_zone ?? 'UTC', rrule: row.rrule };
    for (const at of listOccurrences(series, query.to))
      if (at > row.at && Date.parse(at) >= from && Date.parse(at) < to)
        planned.push({ ...row, at, send_id: null, status: plannedStatus });
    // Each takes some milliseconds: requests of others go on meanwhile.
    await nextTurn();
  }
  const all = [...sends, ...planned].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return {
    items: all.slice(0, maxCalendarEntries).map(toOccurrence),
    is_cut: all.length > maxCalendarEntries || repeating.length > maxRepeatingSchedules,
  };
}

function toOccurrence(full: CalendarRow): Occurrence {
  const [brand, row] = splitBrand(full);
  const { touchpoint_id, touchpoint_name, touchpoint_type, campaign_id, campaign_name, ...rest } = row;
  return {
    ...rest,
    key: rest.send_id ?? `${rest.schedule_id} ${rest.at}`,
    touchpoint: { id: touchpoint_id, name: touchpoint_name, type: touchpoint_type },
    campaign: { id: campaign_id, name: campaign_name },
    brand,
  };
}
