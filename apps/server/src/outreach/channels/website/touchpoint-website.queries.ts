import type { ConversionGoal } from '@reachout/contract/websites.ts';
import { sql } from 'kysely';
import { notFound } from '../../../platform/http/api-error.ts';
import { valuesOf, type RowOf, type Transaction, rowsOf } from '../../../platform/database/database.ts';
import { prepared } from '../../../platform/database/prepared.ts';

/** What is stored of a website. */
export type WebsiteSettings = RowOf<typeof getTouchpointWebsite>;

export async function insertTouchpointWebsite(
  trx: Transaction,
  row: { id: string; organization_id: string; touchpoint_id: string; token: string },
): Promise<void> {
  await trx.insertInto('touchpoint_websites').values(row).execute();
}

/** @throws 404 if the touchpoint or one of its parents is deleted, or it is no website */
export const getTouchpointWebsite = (trx: Transaction, touchpointId: string) =>
  trx
    .selectFrom('touchpoint_websites as w')
    .innerJoin('current_touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 'w.organization_id').onRef('t.id', '=', 'w.touchpoint_id'),
    )
    .where('w.touchpoint_id', '=', touchpointId)
    .select(['w.id', 'w.touchpoint_id', 'w.hosts', 'w.token', 'w.token_rotated_at', 'w.updated_at'])
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);

export async function updateTouchpointWebsite(
  trx: Transaction,
  touchpointId: string,
  changes: { hosts: string[] } | { token: string },
): Promise<void> {
  await trx
    .updateTable('touchpoint_websites')
    .set({ ...changes, updated_at: sql`now()`, ...('token' in changes && { token_rotated_at: sql`now()` }) })
    .where('touchpoint_id', '=', touchpointId)
    .execute();
}

const maxActiveHosts = 1_000;

/** Lists hosts of the active websites of an organization, as they are stored. */
export const listActiveHosts = (trx: Transaction, organizationId: string) => valuesOf<string>(trx)`
  select distinct host
  from touchpoint_websites w
  join current_touchpoints t
    on t.organization_id = w.organization_id and t.id = w.touchpoint_id and t.status = 'active'
  cross join unnest(w.hosts) host
  where w.organization_id = ${organizationId}
  limit ${maxActiveHosts}
`;

export type GoalSettings = Pick<ConversionGoal, 'event' | 'value' | 'window_days'>;
type NewGoal = GoalSettings & Pick<ConversionGoal, 'id'>;

/** The others stay as they are. */
export interface GoalChanges {
  value?: number | null | undefined;
  window_days?: number | undefined;
}

const columns = sql`id, touchpoint_id, event, value::float8 as value, window_days, created_at, updated_at`;

/** The goals of a website, by the name of their event. */
export const listGoals = (trx: Transaction, touchpointId: string) => rowsOf<ConversionGoal>(trx)`
  select ${columns} from conversion_goals where touchpoint_id = ${touchpointId} order by event
`;

export const insertGoals = (
  trx: Transaction,
  of: { organization_id: string; touchpoint_id: string },
  goals: readonly NewGoal[],
) => rowsOf<ConversionGoal>(trx)`
  insert into conversion_goals (organization_id, touchpoint_id, id, event, value, window_days)
  select ${of.organization_id}::uuid, ${of.touchpoint_id}::uuid, g.id, g.event, g.value, g.window_days
  from json_to_recordset(${JSON.stringify(goals)}::json) as g (id uuid, event text, value numeric, window_days integer)
  returning ${columns}
`;

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
