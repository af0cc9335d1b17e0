import { transactionAs, type Database, type Transaction } from '../../../platform/database/database.ts';
import { newToken, type Secrets } from '../../../platform/secrets.ts';
import { linkHash } from '../../invitations/invitation.ts';
import { validForMs } from '../one-time-tokens/one-time-token.ts';
import { insertToken } from '../one-time-tokens/one-time-tokens.queries.ts';
import { findCredentialsByEmail } from '../users/credentials.queries.ts';
import { holdLinkPlace } from '../../invitations/hold-link-place.queries.ts';
import { findInvited } from './sign-up-invitation.queries.ts';

/**
 * What a person who signs up shows of an invitation link: its hashes, which find the link as long as it holds.
 * @param token  of the link, if the person came by one
 */
export const hashesOfLink = (secrets: Secrets, token: string | undefined): string[] =>
  token === undefined ? [] : secrets.hashes(linkHash, token);

/** Whether the address may have a new account where sign-up is for invited people. @param email in lower case */
export const isInvited = (
  trx: Transaction,
  { email, linkHashes }: { email: string; linkHashes: readonly string[] },
): Promise<boolean> => findInvited(trx, email, linkHashes);

/**
 * The same for an account that is about to be made: one that only an invitation link lets in takes one of its places.
 * @param userId  of the new account
 */
export const admitNewAccount = async (
  trx: Transaction,
  { email, linkHashes, userId }: { email: string; linkHashes: readonly string[]; userId: string },
): Promise<boolean> => (await findInvited(trx, email, [])) || (await holdLinkPlace(trx, linkHashes, userId));

/**
 * Lets an address sign up for a week, for the operator's own terminal. It is no secret: whoever signs up still proves
 * that the address is theirs.
 * @param email in lower case
 * @returns false when the address has an account already
 */
export async function inviteToSignUp(db: Database, secrets: Secrets, email: string): Promise<boolean> {
  return await transactionAs(db, {}, async (trx) => {
    if ((await findCredentialsByEmail(trx, email)) !== undefined) return false;
    await insertToken(trx, {
      purpose: 'sign_up_invitation',
      email,
      secret_hash: secrets.hash('sign_up_invitation', newToken()),
      validForMs: validForMs.sign_up_invitation,
    });
    return true;
  });
}
