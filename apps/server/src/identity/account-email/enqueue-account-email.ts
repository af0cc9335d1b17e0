import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { insertEmail } from './account-email.queries.ts';
import { accountEmailJobs, type AccountEmailJob } from './account-email.ts';

/**
 * Queues an email that is composed and sent once this transaction has committed.
 * @param mail.recipient  one address; nothing is sent to an invalid one, and the response does not show it
 * @param mail.organizationId  whose mails have a queue of their own, so that they delay no others; default: the installation
 * @param mail.validForMs  time after which the email would be useless and is no longer tried
 * @returns the email's id
 * @throws LimitExceeded if the queue is full because the mail server has been unavailable for too long
 */
export async function enqueueAccountEmail(
  trx: Transaction,
  {
    validForMs,
    organizationId = null,
    ...mail
  }: Omit<AccountEmailJob, 'id'> & { validForMs: number; organizationId?: string | null },
): Promise<string> {
  const id = newId();
  await insertEmail(trx, { ...mail, id }, validForMs);
  await enqueueJob(trx, accountEmailJobs, { organizationId, key: id, payload: { email_id: id } });
  return id;
}
