import { sql } from 'kysely';
import type {
  AccountEmailContent,
  AccountEmailJob,
  AccountEmailKind,
} from '../identity/account-email/account-email.ts';
import { accountEmails } from '../identity/auth/emails/account-emails.ts';
import type { TestApp } from './app.ts';

export interface AccountEmail {
  kind: AccountEmailKind;
  recipient: string;
  /** Undefined when nothing is sent. */
  content: AccountEmailContent | undefined;
  /** Token in the link of the button. */
  token: string;
  code: string;
}

/** Takes the oldest queued email for an address from the outbox and renders it, as a worker does when it sends. */
export async function nextAccountEmail(
  { owner, services }: TestApp,
  recipient: string,
): Promise<AccountEmail> {
  const job = await owner
    .updateTable('account_email_outbox')
    .set({ ended_at: sql<string>`now()` })
    .where('id', '=', (of) =>
      of
        .selectFrom('account_email_outbox')
        .select('id')
        .where('recipient', '=', recipient.toLowerCase())
        .where('ended_at', 'is', null)
        .orderBy('id')
        .limit(1),
    )
    .returning(['id', 'kind', 'recipient', 'language', 'payload'])
    .$castTo<AccountEmailJob>()
    .executeTakeFirstOrThrow();
  const { authDb: db, secrets, config } = services;
  if (job.kind === 'invitation' || job.kind === 'confirm_data_request' || job.kind === 'confirm_subscription')
    throw new Error('This is no mail about an account.');
  const content = await accountEmails[job.kind]({ db, secrets, publicUrl: config.publicUrl }, job);
  return {
    kind: job.kind,
    recipient: job.recipient,
    content,
    token: /token=(.*)$/.exec(content?.button?.url ?? '')?.[1] ?? '',
    code: content?.code ?? '',
  };
}

/** @returns the number of queued emails for an address */
export async function countAccountEmails({ owner }: TestApp, recipient: string): Promise<number> {
  const { count } = await owner
    .selectFrom('account_email_outbox')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('recipient', '=', recipient)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
