import type { InboundMail } from '../../email/inbound/returned-mail.ts';
import { execute, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { statement, type PipelinedDatabase } from '../../platform/database/pipelined.ts';

/** At most this many messages wait: with 64 kB each, 6.5 GB. */
export const maxWaiting = 100_000;

/** @returns whether it was stored; false if too many wait */
export async function insertReturnedMail(db: PipelinedDatabase, mail: InboundMail): Promise<boolean> {
  const values = [newId(), mail.mailbox, mail.raw, mail.receivedAt];
  return (await db.statement({ ...insertReturnedMailText, values })).length > 0;
}

const insertReturnedMailText = statement('insert_returned_mail')`
  insert into returned_mail (id, mailbox, raw, received_at)
  select $1::uuid, $2::text, $3::bytea, $4::timestamptz
  where (select count(*) from (select from returned_mail limit ${maxWaiting}) waiting) < ${maxWaiting}
  returning 1 as stored
`;

/** @returns how many messages wait to be read */
export async function countReturnedMail(db: PipelinedDatabase): Promise<number> {
  const [row] = await db.statement({ ...countReturnedMailText, values: [] });
  return (row as { waiting: number }).waiting;
}

const countReturnedMailText = statement('count_returned_mail')`
  select count(*)::int as waiting from (select from returned_mail limit ${maxWaiting}) waiting
`;

export interface LeasedMail {
  id: string;
  mailbox: string;
  raw: Buffer;
  received_at: string;
  attempts: number;
}

/** Takes what is due, the oldest first. What is not deleted is due again later and later. */
export const leaseReturnedMail = (trx: Transaction, limit: number) => rowsOf<LeasedMail>(trx)`
  update returned_mail m set attempts = attempts + 1, due_at = now() + interval '10 seconds' * 2 ^ least(attempts, 12)
  where id = any(array(
    select id from returned_mail where due_at <= now() order by due_at limit ${limit} for update skip locked))
  returning id, mailbox, raw, received_at, attempts
`;

export const deleteReturnedMail = (trx: Transaction, ids: readonly string[]) => execute(trx)`
  delete from returned_mail where id = any(${[...ids]}::uuid[])
`;
