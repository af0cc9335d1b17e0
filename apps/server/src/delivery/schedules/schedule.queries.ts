import type { Schedule } from '@reachout/contract/schedules.ts';
import { sql, type NotNull } from 'kysely';
import { onlyRowOf, type Row, type RowOf, type Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { notFound } from '../../platform/http/api-error.ts';

const timeColumns = [
  'start_date',
  'time_zone',
  'rrule',
  'contact_time_zones',
  'spread_minutes',
  'window_start',
  'window_end',
] as const;
export type ScheduleTime = Row<'touchpoint_schedules', (typeof timeColumns)[number]>;

/** @param row  `slots` are those of the queue whose item it sends */
export async function insertSchedule(
  trx: Transaction,
  row: Omit<Row<'touchpoint_schedules'>, 'is_active' | 'created_at' | 'updated_at'>,
): Promise<void> {
  const { schedule_content, slots } = row;
  await trx
    .insertInto('touchpoint_schedules')
    .values({
      ...row,
      schedule_content: JSON.stringify(schedule_content),
      slots: slots && JSON.stringify(slots),
    })
    .execute();
}

const select = (trx: Transaction) =>
  trx
    .selectFrom('touchpoint_schedules as p')
    .innerJoin('current_touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 'p.organization_id').onRef('t.id', '=', 'p.touchpoint_id'),
    )
    .select([
      'p.id',
      'p.organization_id',
      'p.touchpoint_id',
      'p.schedule_content',
      ...timeColumns.map((column) => `p.${column}` as const),
      'p.is_active',
      'p.created_at',
      sql<Schedule['next']>`(
        select json_build_object('send_id', s.id, 'status', s.status,
          'send_date', to_char(s.send_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'scheduled_date', to_char(s.scheduled_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from coming_sends s
        where s.organization_id = p.organization_id and s.schedule_id = p.id
        order by s.send_date
        limit 1)`.as('next'),
    ]);

/** @throws 404, also if the touchpoint or one of its parents is deleted */
export const getSchedule = (trx: Transaction, id: string): Promise<Schedule> =>
  select(trx).where('p.id', '=', id).$call(prepared).executeTakeFirstOrThrow(notFound);

/** With the time of the database, by which occurrences have passed. */
export const getScheduleTime = (trx: Transaction, id: string): Promise<ScheduleTime & { now: string }> =>
  trx
    .selectFrom('touchpoint_schedules')
    .select([...timeColumns, sql<string>`now()`.as('now')])
    .where('id', '=', id)
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);

const maxListed = 500;

export const listSchedules = (trx: Transaction, touchpointId: string): Promise<Schedule[]> =>
  select(trx)
    .where('p.touchpoint_id', '=', touchpointId)
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(maxListed)
    .$call(prepared)
    .execute();

/** The times with which items were last added to the queue of a touchpoint, with the time of the database. */
export const findSlots = (trx: Transaction, touchpointId: string) =>
  trx
    .selectFrom('touchpoint_schedules')
    .select(['slots', sql<string>`now()`.as('now')])
    .where('touchpoint_id', '=', touchpointId)
    .where('slots', 'is not', null)
    .$narrowType<{ slots: NotNull }>()
    .orderBy('created_at', 'desc')
    .limit(1)
    .$call(prepared)
    .executeTakeFirst();

/**
 * A scheduled send of a touchpoint that has not started. `is_queued_item`: it has a content item of its own, whatever the email
 * has now.
 */
export type ComingSend = RowOf<typeof listComing>[number];

/** In the order of their locks. */
export const listComing = (trx: Transaction, touchpointId: string) =>
  trx
    .selectFrom('coming_sends')
    .select(['id', 'schedule_id', 'item_id', 'is_queued_item'])
    .where('touchpoint_id', '=', touchpointId)
    .where('schedule_id', 'is not', null)
    .$narrowType<{ schedule_id: NotNull }>()
    .orderBy('id')
    .$call(prepared)
    .execute();

/** The scheduled send of a touchpoint that starts next; undefined if none is to come. */
export const findNextComing = (trx: Transaction, touchpointId: string) =>
  trx
    .selectFrom('coming_sends')
    .select([
      'id',
      'schedule_id',
      'item_id',
      'is_queued_item',
      sql<number>`count(*) over ()::integer`.as('count'),
    ])
    .where('touchpoint_id', '=', touchpointId)
    .where('schedule_id', 'is not', null)
    .$narrowType<{ schedule_id: NotNull }>()
    .orderBy('scheduled_date')
    .orderBy('id')
    .limit(1)
    .$call(prepared)
    .executeTakeFirst();

export const setScheduleItem = (trx: Transaction, id: string, itemId: string | null): Promise<unknown> =>
  trx
    .updateTable('touchpoint_schedules')
    .set({ schedule_content: JSON.stringify(itemId === null ? {} : { item_id: itemId }) })
    .where('id', '=', id)
    .execute();

export const updateSchedule = (trx: Transaction, id: string, time: ScheduleTime): Promise<unknown> =>
  trx
    .updateTable('touchpoint_schedules')
    .set({ ...time, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();

export const deleteSchedule = (trx: Transaction, id: string): Promise<unknown> =>
  trx.deleteFrom('touchpoint_schedules').where('id', '=', id).execute();

/** A schedule is active while a send of it is queued. Call this after each change of its sends. */
export const followSends = (trx: Transaction, id: string): Promise<unknown> =>
  prepared(sql`
    update touchpoint_schedules p
    set is_active = exists (
      select from coming_sends s
      where s.organization_id = p.organization_id and s.schedule_id = p.id and s.status = 'queued')
    where id = ${id}`).execute(trx);

/** How a time lies to the clock of the database. */
export const compareWithNow = (trx: Transaction, time: string, maxYearsAhead: number) => onlyRowOf<{
  isPast: boolean;
  isFar: boolean;
}>(trx)`
  select ${time}::timestamptz < now() as "isPast",
    ${time}::timestamptz > now() + make_interval(years => ${maxYearsAhead}) as "isFar"`;
