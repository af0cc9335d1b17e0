import { apiError, invalidInput } from '../../../platform/http/api-error.ts';
import { transactionAs } from '../../../platform/database/database.ts';
import { newToken } from '../../../platform/secrets.ts';
import { requestByEmail, pendingAuthHash, countEmail } from '../one-time-tokens/request-by-email.ts';
import { insertUser } from '../users/credentials.queries.ts';
import { linkExpired } from '../one-time-tokens/one-time-token.ts';
import {
  countAttempt,
  findToken,
  revokeTokens,
  type OneTimeToken,
} from '../one-time-tokens/one-time-tokens.queries.ts';
import { findPasswordProblem } from '../passwords/password-rules.ts';
import { finishFirstStep, type SignInStep } from '../second-factor/second-step.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';
import { hashesOfLink, isInvited } from './sign-up-invitation.ts';
import { holdLinkPlace } from '../../invitations/invitation-link.queries.ts';
import type { SignUp } from '../../../platform/config.ts';

interface SignUpDeps extends SignInDeps {
  config: { signUp: SignUp };
}

/**
 * Queues an email with a link that creates the account: no account exists before the address is proven.
 * @param given.email  in lower case
 * @param given.link_token  of the invitation link that the user followed, if any
 * @returns the secret by which the browser proves that it made the request
 * @throws 403 `sign_up_closed`, 422 `invalid_input` for `password`, 429 `too_many_attempts`, 503 `unavailable`
 */
export async function requestSignUp(
  { db, secrets, limits, passwords, config }: SignUpDeps,
  {
    name,
    email,
    password,
    link_token,
  }: { name: string; email: string; password: string; link_token?: string | undefined },
  { ipPrefix, language }: Browser,
): Promise<string> {
  if (config.signUp === 'closed') throw apiError('sign_up_closed');
  const problem = await findPasswordProblem(password, { name, email });
  if (problem !== undefined) throw invalidInput('password', problem);
  await countEmail(limits, ipPrefix, 'sign_up', email);
  const payload = {
    name,
    language,
    password: await passwords.hash(ipPrefix, password),
    // Whether the address is invited or has an account is checked only when the email is composed.
    ...(config.signUp === 'invited' && { link_hashes: hashesOfLink(secrets, link_token) }),
  };
  const pendingAuth = newToken();
  await transactionAs(db, {}, (trx) =>
    requestByEmail(trx, secrets, { purpose: 'sign_up', email, language, pendingAuth, payload }),
  );
  return pendingAuth;
}

/**
 * Creates the account and signs in. The reader of the email may not be the person who chose the password: in a browser
 * other than the requesting one, the password is required.
 * @throws 403 `sign_up_closed`, `not_invited`; 410 `link_expired`, 409 `password_needed`, 401 `wrong_password`, 503
 *   `unavailable`
 */
export async function confirmSignUp(
  deps: SignUpDeps,
  { token, password }: { token: string; password?: string | undefined },
  browser: Browser,
): Promise<SignInStep> {
  const { db, secrets, config } = deps;
  if (config.signUp === 'closed') throw apiError('sign_up_closed');
  const found = await transactionAs(db, {}, (trx) =>
    findToken(trx, 'sign_up', 'secret_hash', secrets.hashes('sign_up', token)),
  );
  if (found === undefined) throw linkExpired();
  const pendingAuth = browser.pendingAuth('sign_up');
  const hashes = pendingAuth === undefined ? [] : secrets.hashes(pendingAuthHash('sign_up'), pendingAuth);
  const asked = found.browser_hash !== null && hashes.includes(found.browser_hash);
  if (!asked) await verifyRequester(deps, found, password, browser.ipPrefix);

  const userId = await transactionAs(db, {}, async (trx) => {
    const { name = '', language, password: hash = '', link_hashes: linkHashes = [] } = found.payload;
    const { email } = found;
    const isNamed = config.signUp !== 'invited' || (await isInvited(trx, { email, linkHashes: [] }));
    const revoked = await revokeTokens(trx, ['sign_up', 'sign_up_invitation'], { emails: [email] });
    if (!revoked.includes(found.id)) return undefined;
    const id = await insertUser(trx, { email, full_name: name, language, password: hash });
    if (id !== undefined && !isNamed && !(await holdLinkPlace(trx, linkHashes, id)))
      throw apiError('not_invited');
    return id;
  });
  if (userId === undefined) throw linkExpired();
  return await finishFirstStep(deps, browser, userId, 'sign_up');
}

async function verifyRequester(
  { db, passwords }: SignInDeps,
  { id, payload }: OneTimeToken,
  password: string | undefined,
  ipPrefix: string,
): Promise<void> {
  if (password === undefined) {
    throw apiError('password_needed');
  }
  if (!(await transactionAs(db, {}, (trx) => countAttempt(trx, id)))) throw linkExpired();
  if (!(await passwords.verify(ipPrefix, { hash: payload.password, password })))
    throw apiError('wrong_password');
}
