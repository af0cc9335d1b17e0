import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import type { ReadingSends } from '../../contacts/audiences/reading-jobs.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { awaitContacts, lockStatus, resumePreparing } from '../../queue/awaited-contacts.queries.ts';

/** Normally the job that reads the contacts reports its end earlier; this covers the case that it cannot. */
export const awaitContactsMs = 60_000;

/** Callbacks of the job that reads the contacts of a send. */
export const readingSends: ReadingSends = {
  isWaiting: async (trx, sendId) => sendCan.prepare({ status: await lockStatus(trx, sendId) }),
  onDelay: (trx, sendId, reason) =>
    awaitContacts(trx, sendId, {
      delayMs: awaitContactsMs,
      error: sendError('contacts_delayed', { detail: reason }),
    }),
  async onEnd(trx, sendId) {
    await resumePreparing(trx, sendId);
    await notifyWorkers(trx);
  },
};
