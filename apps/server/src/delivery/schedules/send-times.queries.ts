import { sql } from 'kysely';
import { onlyValueOf, type Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';

/** What decides when the messages of a send start. The columns of the schedule are null for a send without one. */
export interface SendTimesRow {
  /** By the clock of the database. */
  now: string;
  time_zone: string;
  contact_time_zones: boolean | null;
  spread_minutes: number | null;
  window_start: string | null;
  window_end: string | null;
  quiet_hours_start: string | null;
  quiet_hours_end: string | null;
}

/** The time zone is that of the schedule; without one, that of the brand. */
export async function getSendTimes(
  trx: Transaction,
  { brand_id, schedule_id }: { brand_id: string; schedule_id: string | null },
): Promise<SendTimesRow> {
  const { rows } = await prepared(sql<SendTimesRow>`
    select now() as now, coalesce(p.time_zone, b.time_zone, 'UTC') as time_zone, p.contact_time_zones,
      p.spread_minutes, p.window_start, p.window_end, b.quiet_hours_start, b.quiet_hours_end
    from (select ${brand_id}::uuid as brand_id, ${schedule_id}::uuid as schedule_id) send
    left join current_brands b on b.id = send.brand_id
    left join touchpoint_schedules p on p.id = send.schedule_id
  `).execute(trx);
  return rows[0]!;
}

/** @returns the later of a time and now */
export const notBeforeNow = (trx: Transaction, at: string) =>
  onlyValueOf<string>(trx)`select greatest(now(), ${at}::timestamptz) as at`;
