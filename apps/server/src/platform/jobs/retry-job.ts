import type { Transaction } from '../database/database.ts';
import { notifyWorkers } from '../database/notify.ts';
import { reopenJob } from './job-list.queries.ts';

/**
 * Reopens a failed job and resets its attempts.
 * @returns false if the job has not failed, or another job with its key is open
 */
export async function retryJob(trx: Transaction, id: string): Promise<boolean> {
  const isOpen = await reopenJob(trx, id);
  if (isOpen) await notifyWorkers(trx);
  return isOpen;
}
