import { sql, type Insertable } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';
import { containsPattern } from '../../platform/database/like-pattern.ts';
import type { DB } from '../../platform/database/types.gen.ts';

export async function insertMessages(
  trx: Transaction,
  messages: Insertable<DB['mailbox_messages']>[],
): Promise<void> {
  await trx.insertInto('mailbox_messages').values(messages).execute();
}

/** Deletes all but the newest `kept` messages of an organization. */
export async function pruneMessages(trx: Transaction, organizationId: string, kept: number): Promise<void> {
  await sql`
    delete from mailbox_messages
    where organization_id = ${organizationId} and (received_at, id) <= (
      select received_at, id from mailbox_messages
      where organization_id = ${organizationId}
      order by received_at desc, id desc
      offset ${kept}
      limit 1
    )
  `.execute(trx);
}

/** By `organization_id`, and `send_id`. */
export const mailboxRows: DeleteBatchOf = deleteRowsOf('mailbox_messages');

export interface MessageFilter {
  organizationId: string;
  search?: string | undefined;
  sendId?: string | undefined;
}

export interface MessageRow {
  id: string;
  recipient: string;
  sender: string;
  subject: string;
  received_at: string;
  size_bytes: number;
}

/** Newest first. */
export async function listMessages(
  trx: Transaction,
  filter: MessageFilter,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ items: MessageRow[]; count: number }> {
  const matching = selectMatching(trx, filter);
  const items = await matching
    .select(['id', 'recipient', 'sender', 'subject', 'received_at'])
    // Told by the row's header: the message itself is not read.
    .select(sql<number>`octet_length(raw)`.as('size_bytes'))
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { items, count };
}

export const findMessage = (trx: Transaction, organizationId: string, id: string) =>
  trx
    .selectFrom('mailbox_messages')
    .select(['id', 'recipient', 'sender', 'subject', 'received_at', 'raw'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

function selectMatching(trx: Transaction, { organizationId, search, sendId }: MessageFilter) {
  let query = trx.selectFrom('mailbox_messages').where('organization_id', '=', organizationId);
  if (sendId !== undefined) query = query.where('send_id', '=', sendId);
  if (search !== undefined && search !== '') {
    const pattern = containsPattern(search);
    query = query.where((where) =>
      where.or([where('recipient', 'ilike', pattern), where('subject', 'ilike', pattern)]),
    );
  }
  return query;
}
