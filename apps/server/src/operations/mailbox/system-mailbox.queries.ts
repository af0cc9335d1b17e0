import { sql } from 'kysely';
import type { Database, NewRow, Transaction } from '../../platform/database/database.ts';
import type { DeleteBatch } from '../../platform/database/delete-rows.ts';
import type { Paging } from '../../platform/database/list-page.ts';
import { selectPage } from './mailbox.queries.ts';

export async function insertSystemMessage(
  db: Database,
  message: NewRow<'account_mailbox_messages'>,
): Promise<void> {
  await db.insertInto('account_mailbox_messages').values(message).execute();
}

/** Newest first. */
export const listSystemMessages = (trx: Transaction, page: Paging & { search?: string | undefined }) =>
  selectPage(trx.selectFrom('account_mailbox_messages'), page);

export const findSystemMessage = (trx: Transaction, id: string) =>
  trx
    .selectFrom('account_mailbox_messages')
    .select(['id', 'recipient', 'sender', 'subject', 'received_at', 'raw'])
    .where('id', '=', id)
    .executeTakeFirst();

export async function deleteMessagesTo(trx: Transaction, recipients: readonly string[]): Promise<void> {
  await trx.deleteFrom('account_mailbox_messages').where('recipient', 'in', recipients).execute();
}

/** Maximum platform messages kept in the built-in mailbox. */
const keptMessages = 500;

/** Deletes old messages. They name users and organizations and must not be kept longer than those, which may be erased. */
export const deleteOldSystemMessages: DeleteBatch = async (trx, limit) => {
  const result = await sql`
    delete from account_mailbox_messages where id in (
      select id from account_mailbox_messages
      where received_at < now() - interval '30 days' or (received_at, id) <= (
        select received_at, id from account_mailbox_messages
        order by received_at desc, id desc
        offset ${keptMessages}
        limit 1
      )
      limit ${limit}
    )
  `.execute(trx);
  return Number(result.numAffectedRows);
};
