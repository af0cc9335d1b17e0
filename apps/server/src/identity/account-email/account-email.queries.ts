import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { AccountEmailJob } from './account-email.ts';

/**
 * Only for the case that a worker is alive and hangs: longer than the longest talk with a mail server (smtp-pool.ts),
 * so that nobody takes over what is still under way. A dead worker's mails are free at once.
 */
const leaseLength = sql<string>`now() + interval '20 minutes'`;

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

export interface LeasedEmail extends AccountEmailJob {
  /** This one included. */
  attempts: number;
  is_expired: boolean;
}

/**
 * Takes the mails that have been due longest, and that no living worker holds.
 * @param inProgress what this worker is sending now, under whatever id it took it
 */
export async function leaseEmails(
  db: Database,
  { workerId, limit, inProgress }: { workerId: number; limit: number; inProgress: readonly string[] },
): Promise<LeasedEmail[]> {
  // Materialized: the rows are chosen once, whatever plan PostgreSQL picks. What this worker holds and does not send is
  // of a lease whose response got lost.
  const { rows } = await sql<LeasedEmail>`
    with due as materialized (
      select id from account_email_outbox
      where ended_at is null and due_at <= now() and id <> all (${inProgress}::uuid[])
        and (worker_id is null or worker_id = ${workerId} or lease_until < now() or not worker_is_alive(worker_id))
      order by due_at
      limit ${limit}
      for update skip locked
    )
    update account_email_outbox m
    set worker_id = ${workerId}, lease_until = ${leaseLength}, attempts = attempts + 1
    from due
    where m.id = due.id
    returning m.id, m.kind, m.recipient, m.language, m.payload, m.attempts, m.expires_at <= now() as is_expired
  `.execute(db);
  return rows;
}

/** Does nothing when another worker has taken the mail over. */
export async function endEmail(
  db: Database,
  { id }: { id: string },
  workerId: number,
  error_content: string | null,
): Promise<void> {
  await db
    .updateTable('account_email_outbox')
    .set({ ended_at: sql<string>`now()`, error_content, worker_id: null, lease_until: null })
    .where('id', '=', id)
    .where('worker_id', '=', workerId)
    .execute();
}

/**
 * Lets the mail wait for its next attempt; given up when that would come too late.
 * @returns true when it is given up
 */
export async function postponeEmail(
  db: Database,
  { id }: { id: string },
  workerId: number,
  { delayMs, error_content }: { delayMs: number; error_content: string },
): Promise<boolean> {
  const next = sql<string>`now() + ${delayMs} * interval '1 millisecond'`;
  const row = await db
    .updateTable('account_email_outbox')
    .set({
      due_at: next,
      error_content,
      worker_id: null,
      lease_until: null,
      ended_at: sql<string | null>`case when ${next} >= expires_at then now() end`,
    })
    .where('id', '=', id)
    .where('worker_id', '=', workerId)
    .returning('ended_at')
    .executeTakeFirst();
  return row !== undefined && row.ended_at !== null;
}

/**
 * Deletes what was mailed to a person, or is about the account, under former addresses too: those that notices went to.
 * @param tokenIds  of mailed codes and links
 * @returns the addresses that are the person's: an address that was never confirmed may belong to somebody else
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
