import { setupTasks, type Setup } from '@reachout/contract/organizations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findDoneTasks } from './organization.queries.ts';

/** The set-up tasks of an organization, as far as the transaction sees its data. */
export async function getSetup(trx: Transaction, organizationId: string): Promise<Setup> {
  const done = await findDoneTasks(trx, organizationId);
  return { id: organizationId, tasks: setupTasks.map((task) => ({ task, done: done[task] })) };
}
