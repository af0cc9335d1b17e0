import { transactionAs, type Transaction } from '../../../platform/database/database.ts';
import { apiError, invalidInput } from '../../../platform/http/api-error.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { SignUp } from '../../../platform/config.ts';
import type { RequestOrigin } from '../../access/caller.ts';
import { findPendingByToken } from '../../invitations/invitation-preview.ts';
import { isMailProof } from '../../invitations/invitation.ts';
import { acceptInvitation } from '../../invitations/respond-to-invitation.ts';
import { linkExpired } from '../one-time-tokens/one-time-token.ts';
import { revokeTokens } from '../one-time-tokens/one-time-tokens.queries.ts';
import { findPasswordProblem } from '../passwords/password-rules.ts';
import { finishFirstStep, type SignInStep } from '../second-factor/second-step.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';
import { findCredentialsByEmail, insertUser } from '../users/credentials.queries.ts';

interface Deps extends SignInDeps {
  config: { signUp: SignUp };
}

/** Parameters of the link in an invitation email. */
interface MailedLink {
  token: string;
  proof: string;
}

/**
 * @returns the invited address, and whether it has an account to sign in to. Requires the link from the email: the
 *   token alone, which inviters know as well, is not enough.
 * @throws 410 `link_expired`
 */
export const describeInvited = (
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  link: MailedLink,
): Promise<{ email: string; has_account: boolean }> =>
  transactionAs(db, {}, async (trx) => {
    const email = await getInvitedAddress(trx, secrets, link);
    return { email, has_account: (await findCredentialsByEmail(trx, email)) !== undefined };
  });

/**
 * Creates the account of an invited user and adds the user to the organization, in one transaction. The emailed link
 * proves the address, like that of a sign-up; it is valid as long as the invitation, which is accepted once.
 * @throws 403 `sign_up_closed`, `organization_suspended`; 409 `account_exists`, `not_pending`; 410 `link_expired`; 422
 *   `invalid_input` for `password`; 503 `unavailable`
 */
export async function signUpByInvitation(
  deps: Deps,
  { name, password, ...link }: MailedLink & { name: string; password: string },
  browser: Browser,
  origin: RequestOrigin,
): Promise<{ step: SignInStep; organizationId: string }> {
  const { db, secrets, passwords, config } = deps;
  if (config.signUp === 'closed') throw apiError('sign_up_closed');
  const { email, has_account: hasAccount } = await describeInvited(deps, link);
  if (hasAccount) throw apiError('account_exists');
  const problem = await findPasswordProblem(password, { name, email });
  if (problem !== undefined) throw invalidInput('password', problem);
  const hash = await passwords.hash(browser.ipPrefix, password);
  const { userId, organizationId } = await transactionAs(db, {}, async (trx) => {
    // Revokes pending sign-ups: a password that someone else chose for the address must not work.
    await revokeTokens(trx, ['sign_up', 'sign_up_invitation'], { emails: [email] });
    const { language } = browser;
    const id = await insertUser(trx, { email, full_name: name, language, password: hash });
    if (id === undefined) throw apiError('account_exists');
    return {
      userId: id,
      organizationId: await acceptInvitation(trx, secrets, { userId: id, origin }, link.token),
    };
  });
  return { step: await finishFirstStep(deps, browser, userId, 'sign_up'), organizationId };
}

async function getInvitedAddress(
  trx: Transaction,
  secrets: Secrets,
  { token, proof }: MailedLink,
): Promise<string> {
  const email = isMailProof(secrets, token, proof)
    ? await findPendingByToken(trx, secrets, token)
    : undefined;
  if (email === undefined) throw linkExpired();
  return email;
}
