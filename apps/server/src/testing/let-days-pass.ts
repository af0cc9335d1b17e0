import { sql } from 'kysely';
import { execute, type Database } from '../platform/database/database.ts';

/** Lets time pass for one touchpoint: everything that is planned for it is due earlier. */
export async function letDaysPass(owner: Database, touchpointId: string, days: number): Promise<void> {
  const by = sql`make_interval(days => ${days})`;
  // Occurrences are unique, so the earlier ones move first.
  for (const isEnded of [true, false])
    await sql`
      update touchpoint_sends
      set send_date = send_date - ${by}, next_due_at = next_due_at - ${by}, occurrence_at = occurrence_at - ${by}
      where touchpoint_id = ${touchpointId} and (end_date is not null) = ${isEnded}`.execute(owner);
  await execute(owner)`
    update touchpoint_schedules set start_date = start_date - ${by} where touchpoint_id = ${touchpointId}`;
}
