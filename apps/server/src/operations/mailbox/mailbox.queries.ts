import { sql, type SelectQueryBuilder } from 'kysely';
import { execute, type NewRow, type Transaction, type Database } from '../../platform/database/database.ts';
import type { DeleteBatch } from '../../platform/database/delete-rows.ts';
import { containsPattern, countRows, type Paging } from '../../platform/database/list-page.ts';
import type { DB } from '../../platform/database/types.gen.ts';

export async function insertMessages(
  trx: Transaction,
  messages: NewRow<'mailbox_messages'>[],
): Promise<void> {
  await trx.insertInto('mailbox_messages').values(messages).execute();
}

/** Deletes all but the newest `kept` messages of an organization. */
export const pruneMessages = (trx: Transaction, organizationId: string, kept: number) => execute(trx)`
  delete from mailbox_messages
  where organization_id = ${organizationId} and (received_at, id) <= (
    select received_at, id from mailbox_messages
    where organization_id = ${organizationId}
    order by received_at desc, id desc
    offset ${kept}
    limit 1
  )
`;

type MessageTable = 'mailbox_messages' | 'account_mailbox_messages';

const columns = ['id', 'recipient', 'sender', 'subject', 'received_at'] as const;

/** Newest first. */
export const listMessages = (
  trx: Transaction,
  organizationId: string,
  {
    client_id,
    send_id,
    ...page
  }: Paging & {
    search?: string | undefined;
    client_id?: string | undefined;
    send_id?: string | undefined;
  },
) =>
  selectPage(
    trx
      .selectFrom<MessageTable>('mailbox_messages')
      .where('organization_id', '=', organizationId)
      .$if(client_id !== undefined, (query) =>
        query.where((eb) =>
          eb(
            'send_id',
            'in',
            eb
              .selectFrom('touchpoint_sends as s')
              .innerJoin('brands as b', (on) =>
                on.onRef('b.organization_id', '=', 's.organization_id').onRef('b.id', '=', 's.brand_id'),
              )
              .select('s.id')
              .where('b.client_id', '=', client_id ?? ''),
          ),
        ),
      )
      .$if(send_id !== undefined, (query) => query.where('send_id', '=', send_id ?? '')),
    page,
  );

/** Selects a page of messages, newest first; searches recipient and subject. */
async function selectPage(
  messages: SelectQueryBuilder<DB, MessageTable, object>,
  { search, page, page_size }: Paging & { search?: string | undefined },
) {
  const pattern = containsPattern(search ?? '');
  const matching = messages.$if(search !== undefined && search !== '', (query) =>
    query.where((eb) => eb.or([eb('recipient', 'ilike', pattern), eb('subject', 'ilike', pattern)])),
  );
  const items = await matching
    .select(columns)
    // The row's header contains the length, so the message itself is not read.
    .select(sql<number>`octet_length(raw)`.as('size_bytes'))
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  return { items, count: await countRows(matching) };
}

export const findMessage = (trx: Transaction, organizationId: string, id: string) =>
  trx
    .selectFrom('mailbox_messages')
    .select([...columns, 'raw'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

export async function deleteMessagesOf(
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<void> {
  await trx
    .deleteFrom('mailbox_messages')
    .where('organization_id', '=', organizationId)
    .where(sql`lower(recipient)`, '=', addressKey)
    .execute();
}

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
