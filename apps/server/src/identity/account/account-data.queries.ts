import { sql } from 'kysely';
import { rowsOf, type Transaction } from '../../platform/database/database.ts';

/** Personal data that an organization stores. */
export interface PersonalData {
  kind:
    | 'membership'
    | 'invitation'
    | 'sent_invitation'
    | 'invitation_link'
    | 'api_key'
    | 'audit_entry'
    | 'send'
    | 'import';
  organization_id: string;
  data: Record<string, unknown>;
}

/** Lists personal data of the acting user in all organizations. */
export const listPersonalData = (trx: Transaction) =>
  rowsOf<PersonalData>(trx)`select * from my_personal_data()`;

/** All data in the user's own tables, without credentials: tokens, password, codes. */
export async function findUserData(
  trx: Transaction,
  { id, email }: { id: string; email: string },
): Promise<Record<string, unknown>> {
  const arrayOf = (query: ReturnType<typeof sql>) =>
    sql`coalesce((select jsonb_agg(r) from (${query}) r), '[]')`;
  const { rows } = await sql<Record<string, unknown>>`
    select
      to_jsonb(u) - 'preferences' as profile,
      u.preferences,
      ${arrayOf(sql`select * from user_addresses where user_id = ${id} order by created_at`)} as addresses,
      ${arrayOf(sql`select * from user_socials where user_id = ${id} order by created_at`)} as socials,
      ${arrayOf(sql`
        select id, ip_address, user_agent, created_at, last_used_at, expires_at
        from sessions where user_id = ${id} order by created_at
      `)} as sessions,
      ${arrayOf(sql`
        select provider_id, account_id, password is not null as has_password, created_at
        from accounts where user_id = ${id} order by created_at
      `)} as sign_in_methods,
      ${arrayOf(sql`
        select 'authenticator_app' as kind, null as name, created_at, last_used_at
        from totp_secrets where user_id = ${id} and confirmed_at is not null
        union all select 'passkey', name, created_at, last_used_at from passkeys where user_id = ${id}
        union all select 'recovery_code', null, created_at, used_at from recovery_codes where user_id = ${id}
        order by created_at
      `)} as second_factors,
      ${arrayOf(sql`
        select purpose, created_at, expires_at, used_at
        from one_time_tokens where user_id = ${id} or email = ${email} order by created_at
      `)} as mailed_codes_and_links,
      ${arrayOf(sql`
        select kind, language, created_at, ended_at from account_email_outbox where recipient = ${email} order by created_at
      `)} as mails
    from users u
    where u.id = ${id}
  `.execute(trx);
  return rows[0] ?? {};
}
