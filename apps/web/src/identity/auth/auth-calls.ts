import { writeLocal } from '#web/platform/local.ts';
import { signWithPasskey } from './passkey.ts';
import { get, post } from './endpoints.ts';
import { startSession } from './session.ts';

/** The first step of a sign-in either starts a session or requires the second step. */
export type SignInStep = 'signed_in' | 'second_factor_needed';

async function finishStep({ status }: { status: SignInStep }): Promise<SignInStep> {
  if (status === 'signed_in') await startSession();
  return status;
}

export const signIn = async (email: string, password: string): Promise<SignInStep> =>
  await finishStep(await post('sign-in/email', { email, password }));

/** Emails a code if the account exists; the response never reveals whether it does. */
export const requestCode = (email: string) => post('sign-in/code', { email });

export const signInWithCode = async (code: string): Promise<SignInStep> =>
  await finishStep(await post('sign-in/code/verify', { code }));

/**
 * The factors that the user can choose from after the first step.
 * @throws Problem 410 if the first step was not completed in this browser, or too long ago
 */
export const readOfferedFactors = () => get('sign-in/second-factor');
export type OfferedFactors = Awaited<ReturnType<typeof readOfferedFactors>>;

/** Signs in with only a passkey, which the user chooses. */
export async function signInByPasskey(): Promise<void> {
  await post('sign-in/passkey', await signWithPasskey(await post('sign-in/passkey/options', {})));
  await startSession();
}

/** @param code  from the authenticator app, or a recovery code */
export async function enterSecondFactor(code: string): Promise<void> {
  await post('sign-in/second-factor', { code });
  await startSession();
}

/** @param next  path of this origin to open afterwards */
export async function signInWithProvider(provider: string, next: string): Promise<void> {
  // The provider's redirect leads through the second factor, if the user has one.
  writeLocal('next', next);
  const { url } = await post('sign-in/social', { provider, callbackURL: next });
  location.assign(url);
}

/** @param next  path to open afterwards: with an invitation link, sign-up may be allowed where it otherwise is not */
export const signUp = (
  input: { name: string; email: string; password: string },
  next: string | undefined,
) => {
  const link_token = /^\/join\/([^/?#]+)$/.exec(next ?? '')?.[1];
  return post('sign-up', link_token === undefined ? input : { ...input, link_token });
};

/** @param password  required if the link is opened in another browser than the one used to sign up */
export async function confirmSignUp(token: string, password?: string): Promise<void> {
  await post('sign-up/confirm', password === undefined ? { token } : { token, password });
  await startSession();
}

export const requestReset = (email: string) => post('reset-password', { email });

/** @returns whether API keys of the user remain valid */
export async function resetPassword(token: string, password: string): Promise<boolean> {
  const { api_keys: keys } = await post('reset-password/new', { token, password });
  return keys > 0;
}

/**
 * @param password  required if the account is not signed in in this browser
 * @returns the account's new address
 */
export async function confirmEmail(token: string, password?: string): Promise<string> {
  const { email } = await post(
    'change-email/confirm',
    password === undefined ? { token } : { token, password },
  );
  return email;
}
