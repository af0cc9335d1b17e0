import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { insertEmail } from './account-email.queries.ts';
import type { AccountEmailJob } from './account-email.ts';

/**
 * Has a mail written and sent once this transaction has committed.
 * @param mail.recipient one address; what is none comes to nothing, and anyone who asked cannot tell
 * @param mail.validForMs after this time the mail would be useless, and is no longer tried
 * @returns the mail's id
 */
export async function enqueueAccountEmail(
  trx: Transaction,
  { validForMs, ...mail }: Omit<AccountEmailJob, 'id'> & { validForMs: number },
): Promise<string> {
  const id = newId();
  await insertEmail(trx, { ...mail, id }, validForMs);
  await notifyWorkers(trx);
  return id;
}
