import { sql } from 'kysely';
import type { ConversionGoal } from '@reachout/contract/websites.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/http/api-error.ts';

export type GoalSettings = Pick<ConversionGoal, 'event' | 'value' | 'window_days'>;
export type NewGoal = GoalSettings & Pick<ConversionGoal, 'id'>;

/** The others stay as they are. */
export interface GoalChanges {
  value?: number | null | undefined;
  window_days?: number | undefined;
}

const columns = sql`id, touchpoint_id, event, value::float8 as value, window_days, created_at, updated_at`;

/** The goals of a website, by the name of their event. */
export async function listGoals(trx: Transaction, touchpointId: string): Promise<ConversionGoal[]> {
  const { rows } = await sql<ConversionGoal>`
    select ${columns} from conversion_goals where touchpoint_id = ${touchpointId} order by event
  `.execute(trx);
  return rows;
}

export async function insertGoals(
  trx: Transaction,
  of: { organization_id: string; touchpoint_id: string },
  goals: readonly NewGoal[],
): Promise<ConversionGoal[]> {
  const { rows } = await sql<ConversionGoal>`
    insert into conversion_goals (organization_id, touchpoint_id, id, event, value, window_days)
    select ${of.organization_id}::uuid, ${of.touchpoint_id}::uuid, g.id, g.event, g.value, g.window_days
    from json_to_recordset(${JSON.stringify(goals)}::json) as g (id uuid, event text, value numeric, window_days integer)
    returning ${columns}
  `.execute(trx);
  return rows;
}

/** @throws 404 */
export async function updateGoal(
  trx: Transaction,
  touchpointId: string,
  id: string,
  { value, window_days }: GoalChanges,
): Promise<ConversionGoal> {
  const { rows } = await sql<ConversionGoal>`
    update conversion_goals
    set value = ${value === undefined ? sql.ref('value') : value},
      window_days = coalesce(${window_days ?? null}, window_days), updated_at = now()
    where touchpoint_id = ${touchpointId} and id = ${id}
    returning ${columns}
  `.execute(trx);
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}

/** @returns the name of its event. @throws 404 */
export async function deleteGoal(trx: Transaction, touchpointId: string, id: string): Promise<string> {
  const { event } = await trx
    .deleteFrom('conversion_goals')
    .where('touchpoint_id', '=', touchpointId)
    .where('id', '=', id)
    .returning('event')
    .executeTakeFirstOrThrow(notFound);
  return event;
}
