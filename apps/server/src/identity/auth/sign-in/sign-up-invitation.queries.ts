import { rowsOf, type Transaction } from '../../../platform/database/database.ts';

/**
 * Whether the address is invited by an organization, by an organization's link, or by the operator.
 * @param linkHashes  of the invitation link that the user has, if any
 */
export async function findInvited(
  trx: Transaction,
  email: string,
  linkHashes: readonly string[],
): Promise<boolean> {
  const rows = await rowsOf<{ invited: boolean }>(trx)`
    select is_invited(${email}, ${linkHashes}) or exists (
      select from one_time_tokens
      where purpose = 'sign_up_invitation' and email = ${email} and used_at is null and expires_at > now()
    ) as invited
  `;
  return rows[0]?.invited === true;
}
