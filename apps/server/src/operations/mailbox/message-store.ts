import { createGroupCommit, type GroupCommit } from '../../platform/group-commit.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { insertMessages, pruneMessages } from './mailbox.queries.ts';
import type { ReceivedMessage } from './message.ts';

/** The newest messages that an organization keeps; a few hundred more may be there for a while. */
export const maxStoredMessages = 5_000;
/** Messages of an organization between two looks at what is too old. */
const pruneEvery = 500;

/** Stores messages of an organization together: one statement and one commit for all that wait. */
export function createMessageStore(db: Database): GroupCommit<ReceivedMessage> {
  /** Messages stored since the last look, by organization; unknown after a start, so the first batch looks too. */
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
