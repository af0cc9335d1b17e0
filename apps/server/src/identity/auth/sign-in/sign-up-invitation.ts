import { transactionAs, type Database, type Transaction } from '../../../platform/database/database.ts';
import { newToken, type Secrets } from '../../../platform/secrets.ts';
import { linkHash } from '../../invitations/invitation.ts';
import { validForMs } from '../one-time-tokens/one-time-token.ts';
import { insertToken } from '../one-time-tokens/one-time-tokens.queries.ts';
import { findCredentialsByEmail } from '../users/credentials.queries.ts';
import { holdLinkPlace } from '../../invitations/invitation-link.queries.ts';
import { findInvited } from './sign-up-invitation.queries.ts';

/**
 * @returns the hashes of an invitation link at sign-up, which find the link while it is valid
 * @param token  of the link, if the user followed one
 */
export const hashesOfLink = (secrets: Secrets, token: string | undefined): string[] =>
  token === undefined ? [] : secrets.hashes(linkHash, token);

/** Whether the address may get a new account while sign-up is for invited users only. @param email  in lower case */
export const isInvited = (
  trx: Transaction,
  { email, linkHashes }: { email: string; linkHashes: readonly string[] },
): Promise<boolean> => findInvited(trx, email, linkHashes);

/**
 * Like `isInvited`, for an account about to be created: one that only an invitation link admits takes one of its
 * places.
 * @param userId  of the new account
 */
export const admitNewAccount = async (
  trx: Transaction,
  { email, linkHashes, userId }: { email: string; linkHashes: readonly string[]; userId: string },
): Promise<boolean> => (await findInvited(trx, email, [])) || (await holdLinkPlace(trx, linkHashes, userId));

/**
 * Allows an address to sign up for a week; for the operator's terminal. This is not a secret: the user still proves the
 * address at sign-up.
 * @param email  in lower case
 * @returns false if the address has an account already
 */
export const inviteToSignUp = (db: Database, secrets: Secrets, email: string): Promise<boolean> =>
  transactionAs(db, {}, async (trx) => {
    if ((await findCredentialsByEmail(trx, email)) !== undefined) return false;
    await insertToken(trx, {
      purpose: 'sign_up_invitation',
      email,
      secret_hash: secrets.hash('sign_up_invitation', newToken()),
      validForMs: validForMs.sign_up_invitation,
    });
    return true;
  });
