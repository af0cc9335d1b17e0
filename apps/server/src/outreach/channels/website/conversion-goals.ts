import { maxGoals } from '@reachout/contract/rules/conversions.ts';
import type { ConversionGoal } from '@reachout/contract/websites.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { apiError } from '../../../platform/http/api-error.ts';
import { newId } from '../../../platform/ids.ts';
import { lockCurrentTouchpoint } from '../../touchpoints/touchpoint.queries.ts';
import {
  deleteGoal,
  insertGoals,
  listGoals,
  updateGoal,
  type GoalChanges,
  type GoalSettings,
  getTouchpointWebsite,
} from './touchpoint-website.queries.ts';

// All of these functions throw 404 unless the touchpoint is a website that exists and is visible. Those that change a goal lock
// it, and return its name.

/** The goals of a website, by the name of their event. */
export async function listWebsiteGoals(trx: Transaction, touchpointId: string): Promise<ConversionGoal[]> {
  await getTouchpointWebsite(trx, touchpointId);
  return await listGoals(trx, touchpointId);
}

/** @throws 409 `goal_exists`, `too_many_goals` */
export async function addGoal(
  trx: Transaction,
  touchpointId: string,
  settings: GoalSettings,
): Promise<{ name: string; goal: ConversionGoal }> {
  const { name, organization_id } = await lockWebsite(trx, touchpointId);
  const goals = await listGoals(trx, touchpointId);
  if (goals.some(({ event }) => event === settings.event)) throw apiError('goal_exists');
  if (goals.length >= maxGoals) throw apiError('too_many_goals');
  const of = { organization_id, touchpoint_id: touchpointId };
  const [goal] = await insertGoals(trx, of, [{ ...settings, id: newId() }]);
  return { name, goal: goal! };
}

/** Changes a goal for later conversions. @throws 404 */
export async function changeGoal(
  trx: Transaction,
  touchpointId: string,
  id: string,
  changes: GoalChanges,
): Promise<{ name: string; goal: ConversionGoal }> {
  const { name } = await lockWebsite(trx, touchpointId);
  return { name, goal: await updateGoal(trx, touchpointId, id, changes) };
}

/** @throws 404 */
export async function removeGoal(
  trx: Transaction,
  touchpointId: string,
  id: string,
): Promise<{ name: string; event: string }> {
  const { name } = await lockWebsite(trx, touchpointId);
  return { name, event: await deleteGoal(trx, touchpointId, id) };
}

/** Gives a website that was just created the goals of another one. */
export async function copyGoals(
  trx: Transaction,
  from: { id: string },
  to: { id: string; organization_id: string },
): Promise<void> {
  const goals = await listGoals(trx, from.id);
  await insertGoals(
    trx,
    { organization_id: to.organization_id, touchpoint_id: to.id },
    goals.map((goal) => ({ ...goal, id: newId() })),
  );
}

async function lockWebsite(trx: Transaction, touchpointId: string) {
  const touchpoint = await lockCurrentTouchpoint(trx, touchpointId);
  await getTouchpointWebsite(trx, touchpointId);
  return touchpoint;
}
