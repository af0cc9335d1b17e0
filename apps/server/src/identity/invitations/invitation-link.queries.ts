import { sql } from 'kysely';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import { type NewRow, type Transaction, rowsOf } from '../../platform/database/database.ts';
import { clientNames } from '../memberships/member-clients.queries.ts';

/** The link of the organization, if any. @param accessScope the clients whose names may be shown */
export const findLink = (trx: Transaction, accessScope: AccessScope) =>
  trx
    .selectFrom('organization_invitation_links as l')
    .select([
      'l.token_sealed',
      'l.max_uses',
      // Users who created an account by the link and have not joined yet hold a place.
      sql<number>`l.uses + cardinality(l.signed_up_user_ids)`.as('uses'),
      'l.expires_at',
      clientNames(sql`l.client_ids`, accessScope).as('clients'),
    ])
    .executeTakeFirst();

/** Replaces the previous link, which stops working. */
export async function replaceLink(
  trx: Transaction,
  { days, ...row }: Omit<NewRow<'organization_invitation_links'>, 'expires_at'> & { days: number },
): Promise<void> {
  const link = {
    ...row,
    uses: 0,
    removed_user_ids: sql<string[]>`'{}'`,
    signed_up_user_ids: sql<string[]>`'{}'`,
    expires_at: sql<string>`now() + make_interval(days => ${days}::int)`,
    created_at: sql<string>`now()`,
  };
  await trx
    .insertInto('organization_invitation_links')
    .values(link)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(link))
    .execute();
}

export async function deleteLink(trx: Transaction): Promise<void> {
  await trx.deleteFrom('organization_invitation_links').execute();
}

/** Deletes the link if this member created it. */
export async function deleteLinkOf(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('organization_invitation_links').where('created_by', '=', userId).execute();
}

/** A removed member cannot join again by the current link, only by a new one. */
export async function excludeFromLink(trx: Transaction, userId: string): Promise<void> {
  await trx
    .updateTable('organization_invitation_links')
    .set({ removed_user_ids: sql`array_append(removed_user_ids, ${userId}::uuid)` })
    .execute();
}

/**
 * Uses the link once, with the place held for this user, if any.
 * @returns undefined if it is used up, has expired, was renewed meanwhile, or excludes this user
 */
export const useLink = (
  trx: Transaction,
  { hashes, userId }: { hashes: readonly string[]; userId: string },
) =>
  trx
    .updateTable('organization_invitation_links')
    .set({ uses: sql`uses + 1`, signed_up_user_ids: withoutUser(userId) })
    .where('token_hash', 'in', hashes)
    .where('expires_at', '>', sql<string>`now()`)
    .where(sql<boolean>`uses + cardinality(${withoutUser(userId)}) < max_uses`)
    .where(sql<boolean>`not (${userId}::uuid = any(removed_user_ids))`)
    .returning('client_ids')
    .executeTakeFirst();

const withoutUser = (userId: string) => sql<string[]>`array_remove(signed_up_user_ids, ${userId}::uuid)`;

/**
 * Holds one of the places of an invitation link for a new account that joins by it.
 * @returns false if there is none left
 */
export async function holdLinkPlace(
  trx: Transaction,
  linkHashes: readonly string[],
  userId: string,
): Promise<boolean> {
  const rows = await rowsOf<{
    held: boolean;
  }>(trx)`select hold_link_place(${linkHashes}, ${userId}) as held`;
  return rows[0]?.held === true;
}
