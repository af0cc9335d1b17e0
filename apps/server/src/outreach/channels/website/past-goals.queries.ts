import type { ConversionGoal } from '@reachout/contract/websites.ts';
import type { Transaction } from '../../../platform/database/database.ts';

export type NewPastGoal = Pick<ConversionGoal, 'id' | 'event' | 'value' | 'window_days'>;

/** Inserts goals that count since a time in the past. */
export async function insertPastGoals(
  trx: Transaction,
  of: { organization_id: string; touchpoint_id: string },
  goals: readonly NewPastGoal[],
  at: Date,
): Promise<void> {
  if (goals.length === 0) return;
  const createdAt = at.toISOString();
  await trx
    .insertInto('conversion_goals')
    .values(goals.map((goal) => ({ ...goal, ...of, created_at: createdAt, updated_at: createdAt })))
    .execute();
}
