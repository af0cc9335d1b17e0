import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import type { ReadingSends } from '../../content/audiences/reading-jobs.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { awaitContacts, lockStatus, resumePreparing } from '../queue/awaited-contacts.queries.ts';

/** The job that reads contacts is ahead of this, and says when it ends: this is for the case that it cannot. */
export const awaitContactsMs = 60_000;

/** What a send learns of the reading of its contacts. */
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
