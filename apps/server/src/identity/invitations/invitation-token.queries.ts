import { sql } from 'kysely';
import { firstRowOf, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { selectWithRoleAndInviter } from './invitation.queries.ts';

export interface TokenOwner {
  kind: 'email' | 'link';
  organization_id: string;
  /** Null for a link. */
  invitation_id: string | null;
}

/** The invitation or link of a token, in any organization that is neither deleted nor inactive. */
export const findByTokenHash = (trx: Transaction, hashes: string[]) =>
  firstRowOf<TokenOwner>(trx)`select * from invitation_by_hash(${hashes})`;

/** Finds an invitation in the organization of the transaction. */
export const findInvitation = (trx: Transaction, id: string) =>
  selectWithRoleAndInviter(trx)
    .select([
      sql<boolean>`i.expires_at <= now()`.as('is_past'),
      'i.invited_by',
      'u.full_name as invited_by_name',
    ])
    .where('i.id', '=', id)
    .executeTakeFirst();

/** Finds the link of the organization of the transaction. */
export const findLinkForHolder = (trx: Transaction) =>
  trx
    .selectFrom('organization_invitation_links as l')
    .leftJoin('users as u', 'u.id', 'l.created_by')
    .select([
      'l.client_ids',
      'l.created_by',
      'u.full_name as invited_by_name',
      'l.expires_at',
      sql<boolean>`l.expires_at <= now()`.as('is_past'),
      sql<boolean>`l.uses >= l.max_uses`.as('is_used_up'),
    ])
    .executeTakeFirst();

/** The organization of the transaction, unless it is deleted or inactive. */
export const findInvitingOrganization = (trx: Transaction, id: string) =>
  trx
    .selectFrom('organizations')
    .select(['name', 'logo_url', 'status'])
    .where('id', '=', id)
    .where('deleted', '=', false)
    .where('status', '<>', 'inactive')
    .executeTakeFirst();

/** The user's verified address, in lower case; undefined if it is not verified. */
export async function findProvenEmail(trx: Transaction, userId: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('email_verified', '=', true)
    .executeTakeFirst();
  return row?.email.toLowerCase();
}

export interface WaitingInvitation {
  id: string;
  organization_id: string;
  organization_name: string;
  logo_url: string | null;
  role: string;
  role_name: string | null;
  invited_by_name: string | null;
  token_sealed: string | null;
  expires_at: string;
}

/** Pending invitations of the acting user, in all organizations. */
export const listMyInvitations = (trx: Transaction) =>
  rowsOf<WaitingInvitation>(trx)`select * from my_invitations()`;
