import { createGroupCommit, type GroupCommit } from '../../platform/group-commit.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { insertMessages, pruneMessages } from './mailbox.queries.ts';
import type { ReceivedMessage } from './message.ts';

/** Number of newest messages kept per organization; may be exceeded by a few hundred until the next pruning. */
export const maxStoredMessages = 5_000;
/** Messages of an organization between two prunings. */
const pruneEvery = 500;

/** Stores an organization's queued messages together, with one statement and one commit. */
export function createMessageStore(db: Database): GroupCommit<ReceivedMessage> {
  /** Messages stored since the last pruning, by organization. Unknown after a start, so the first batch prunes. */
  const sincePruning = new Map<string, number>();
  return createGroupCommit<ReceivedMessage>({
    groupOf: (message) => message.organizationId,
    maxQueued: 1_000,
    maxBatch: 200,
    store: async (organizationId, messages) => {
      const since = (sincePruning.get(organizationId) ?? pruneEvery) + messages.length;
      const isDue = since >= pruneEvery;
      await inOrganization(db, organizationId, async (trx) => {
        await insertMessages(trx, messages.map(toRow));
        if (isDue) await pruneMessages(trx, organizationId, maxStoredMessages);
      });
      sincePruning.set(organizationId, isDue ? 0 : since);
    },
  });
}

const toRow = (message: ReceivedMessage) => ({
  organization_id: message.organizationId,
  id: message.id,
  send_id: message.sendId,
  seq: message.seq,
  recipient: message.recipient,
  sender: message.sender,
  subject: message.subject,
  raw: message.raw,
  received_at: message.receivedAt.toISOString(),
});
