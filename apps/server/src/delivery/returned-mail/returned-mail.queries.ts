import { complaintsMailbox, type InboundMail } from '../../email/inbound/returned-mail.ts';
import { sql } from 'kysely';
import { execute, rowsOf, valuesOf, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { statement, type PipelinedDatabase } from '../../platform/database/pipelined.ts';

export async function insertReturnedMail(db: PipelinedDatabase, mail: InboundMail): Promise<void> {
  const values = [newId(), mail.mailbox, mail.raw, mail.receivedAt];
  await db.statement({ ...insertReturnedMailText, values });
}

const insertReturnedMailText = statement('insert_returned_mail')`
  insert into returned_mail (id, mailbox, raw, received_at) values ($1, $2, $3, $4)
`;

/** @returns false if too much of its mailbox waits */
export async function insertProviderEvents(db: PipelinedDatabase, mail: InboundMail): Promise<boolean> {
  const values = [newId(), mail.mailbox, mail.raw, mail.receivedAt];
  return (await db.statement({ ...insertProviderEventsText, values })).length > 0;
}

/** Of one transport: with 64 kB each, 64 MB. */
const maxOfTransport = 1_000;
/** Of all together, beside the mail. */
export const maxWaitingEvents = 50_000;

const insertProviderEventsText = statement('insert_provider_events')`
  insert into returned_mail (id, mailbox, raw, received_at)
  select $1, $2, $3, $4
  where (select count(*) from (
    select from returned_mail where mailbox = $2::text and mailbox like 'p.%' limit ${maxOfTransport}) waiting) < ${maxOfTransport}
  returning id
`;

/** At most this many messages wait: with 64 kB each, 6.5 GB. */
export const maxWaiting = 100_000;
/** Of these, those to the mailbox that anybody may write to. */
export const maxWaitingComplaints = 1_000;

/** What waits to be read, counted up to its limits. */
export interface WaitingMail {
  mail: number;
  /** Of the mail. */
  complaints: number;
  /** What providers report. */
  events: number;
}

export async function countReturnedMail(db: PipelinedDatabase): Promise<WaitingMail> {
  const [row] = await db.statement({ ...countReturnedMailText, values: [] });
  return row as WaitingMail;
}

const countReturnedMailText = statement('count_returned_mail')`
  select (select count(*)::int from (select from returned_mail where mailbox not like 'p.%' limit ${maxWaiting}) waiting) as mail,
    (select count(*)::int from (
      select from returned_mail where mailbox = '${complaintsMailbox}' limit ${maxWaitingComplaints}
    ) waiting) as complaints,
    (select count(*)::int from (select from returned_mail where mailbox like 'p.%' limit ${maxWaitingEvents}) waiting) as events
`;

export interface LeasedMail {
  id: string;
  mailbox: string;
  raw: Buffer;
  received_at: string;
  attempts: number;
}

/** Where rows come from that are read together. */
export const mailSources = ['mail', 'events'] as const;
export type MailSource = (typeof mailSources)[number];

/**
 * Takes what is due, the oldest first; of what providers report, what was never read comes first. What is not deleted is due again later
 * and later.
 */
export const leaseReturnedMail = (trx: Transaction, source: MailSource, limit: number) => rowsOf<LeasedMail>(
  trx,
)`
  update returned_mail m set attempts = attempts + 1, due_at = now() + interval '20 seconds' * 2 ^ least(attempts, 11)
  where id = any(array(
    select id from returned_mail
    where due_at <= now() and ${source === 'mail' ? sql`mailbox not like 'p.%' order by due_at` : sql`mailbox like 'p.%' order by attempts, due_at`}
    limit ${limit} for update skip locked))
  returning id, mailbox, raw, received_at, attempts
`;

export const deleteReturnedMail = (trx: Transaction, ids: readonly string[]) => execute(trx)`
  delete from returned_mail where id = any(${[...ids]}::uuid[])
`;

/**
 * Notes that limits of complaints about a brand's emails from a domain are acted on, once in seven days. Who finds the same limit
 * passed at the same time waits for the end of this transaction.
 * @returns those that are to be acted on now
 */
export const enterPassedLimits = (
  trx: Transaction,
  { organizationId, brandId, domain }: { organizationId: string; brandId: string; domain: string },
  passed: readonly string[],
) => valuesOf<string>(trx)`
  insert into complaint_limits as l (organization_id, brand_id, domain, action)
  select ${organizationId}, ${brandId}, ${domain}, action from unnest(${[...passed]}::text[]) action
  order by action
  on conflict (organization_id, brand_id, domain, action) do update set acted_at = excluded.acted_at
  where l.acted_at <= now() - interval '7 days'
  returning action
`;
