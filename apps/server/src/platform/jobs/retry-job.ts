import type { Transaction } from '../database/database.ts';
import { notifyWorkers } from '../database/notify.ts';
import { reopenJob } from './job-list.queries.ts';

/**
 * Opens a failed job again, with all its attempts.
 * @returns false where it has not failed, or another with its key is open
 */
export async function retryJob(trx: Transaction, id: string): Promise<boolean> {
  const isOpen = await reopenJob(trx, id);
  if (isOpen) await notifyWorkers(trx);
  return isOpen;
}
