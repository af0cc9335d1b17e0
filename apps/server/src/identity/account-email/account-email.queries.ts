import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { AccountEmailJob } from './account-email.ts';

export async function insertEmail(
  trx: Transaction,
  mail: AccountEmailJob,
  validForMs: number,
): Promise<void> {
  const { payload, ...columns } = mail;
  await trx
    .insertInto('account_email_outbox')
    .values({
      ...columns,
      payload: JSON.stringify(payload),
      expires_at: sql<string>`now() + ${validForMs} * interval '1 millisecond'`,
    })
    .execute();
}

export interface WaitingEmail extends AccountEmailJob {
  is_expired: boolean;
}

/** Undefined if the email was sent, given up or erased. */
export const findWaitingEmail = (db: Database, id: string): Promise<WaitingEmail | undefined> =>
  db
    .selectFrom('account_email_outbox')
    .select(['id', 'kind', 'recipient', 'language', 'payload'])
    .select(sql<boolean>`expires_at <= now()`.as('is_expired'))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .$castTo<WaitingEmail>()
    .executeTakeFirst();

export async function endEmail(db: Database, id: string, error_content: string | null): Promise<void> {
  await db
    .updateTable('account_email_outbox')
    .set({ ended_at: sql<string>`now()`, error_content })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * Stores the error of a failed attempt; gives the email up if the next attempt would come after it expires.
 * @returns true if it is given up
 */
export async function storeFailedAttempt(
  db: Database,
  id: string,
  { retryDelayMs, error_content }: { retryDelayMs: number; error_content: string },
): Promise<boolean> {
  const row = await db
    .updateTable('account_email_outbox')
    .set({
      error_content,
      ended_at: sql<string | null>`
        case when now() + ${retryDelayMs} * interval '1 millisecond' >= expires_at then now() end
      `,
    })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('ended_at')
    .executeTakeFirst();
  return row?.ended_at !== null;
}

/**
 * Deletes emails to a user or about the account, including notices sent to former addresses.
 * @param tokenIds  of emailed codes and links
 * @returns the user's addresses; an address that was never confirmed may belong to someone else and is left out
 */
export async function deleteEmailsOf(
  trx: Transaction,
  { id, email, tokenIds }: { id: string; email: string; tokenIds: readonly string[] },
): Promise<string[]> {
  const mails = await trx
    .deleteFrom('account_email_outbox')
    .where((eb) =>
      eb.or([
        eb('recipient', '=', email),
        eb(sql`payload ->> 'user_id'`, '=', id),
        eb(sql`payload ->> 'token_id'`, '=', sql`any(${tokenIds}::text[])`),
      ]),
    )
    .returning(['recipient', sql<boolean>`payload ->> 'user_id' = ${id}`.as('is_to_person')])
    .execute();
  return [email, ...mails.filter(({ is_to_person }) => is_to_person).map(({ recipient }) => recipient)];
}

/** Deletes the emails that asked the owner of an address to confirm sign-ups and requests to an organization. */
export async function deleteConfirmationEmails(
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<void> {
  await trx
    .deleteFrom('account_email_outbox')
    .where('kind', 'in', ['confirm_data_request', 'confirm_subscription'])
    .where(sql`lower(recipient)`, '=', addressKey)
    .where(sql`payload ->> 'organization_id'`, '=', organizationId)
    .execute();
}
