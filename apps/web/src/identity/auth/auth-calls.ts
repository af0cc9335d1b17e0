import { queryOptions } from '@tanstack/react-query';
import { fetchOrProblem } from '#web/platform/fetch.ts';
import { isRecord } from '#web/platform/problem.ts';
import { post } from './post.ts';
import { startSession } from './session.ts';

interface AuthOptions {
  providers: readonly { id: string; name: string }[];
  /** The platform's own mail can be read at `/mailbox` of this machine. */
  local_mailbox: boolean;
}

/** Which ways of signing in this installation offers. */
export const authOptionsQuery = queryOptions({
  queryKey: ['auth', 'options'],
  queryFn: readOptions,
  staleTime: Number.POSITIVE_INFINITY,
});

export async function signIn(email: string, password: string): Promise<void> {
  await post('sign-in/email', { email, password });
  await startSession();
}

/** Mails a code if there is an account; the response never tells. */
export const requestCode = (email: string) => post('sign-in/code', { email });

export async function signInWithCode(code: string): Promise<void> {
  await post('sign-in/code/verify', { code });
  await startSession();
}

/** @param next  where to go afterwards, a path of this origin */
export async function signInWithProvider(provider: string, next: string): Promise<void> {
  const { url } = await post('sign-in/social', { provider, callbackURL: next });
  if (typeof url !== 'string') throw new Error('The response has no address of the provider');
  location.assign(url);
}

export const signUp = (input: { name: string; email: string; password: string }) => post('sign-up', input);

/** @param password  asked for when the link is opened in another browser than the one that signed up */
export async function confirmSignUp(token: string, password?: string): Promise<void> {
  await post('sign-up/confirm', password === undefined ? { token } : { token, password });
  await startSession();
}

export const requestReset = (email: string) => post('reset-password', { email });

/** @returns whether API keys of the person go on working */
export async function resetPassword(token: string, password: string): Promise<boolean> {
  const { api_keys: keys } = await post('reset-password/new', { token, password });
  return typeof keys === 'number' && keys > 0;
}

/**
 * @param password  asked for where nobody is signed in to the account
 * @returns the address that is now the account's
 */
export async function confirmEmail(token: string, password?: string): Promise<string> {
  const { email } = await post(
    'change-email/confirm',
    password === undefined ? { token } : { token, password },
  );
  return typeof email === 'string' ? email : '';
}

async function readOptions(): Promise<AuthOptions> {
  const response = await fetchOrProblem('/api/auth/options');
  const body: unknown = await response.json();
  const providers = isRecord(body) && Array.isArray(body['providers']) ? body['providers'] : [];
  return {
    providers: providers.flatMap((provider: unknown) =>
      isRecord(provider) && typeof provider['id'] === 'string' && typeof provider['name'] === 'string'
        ? [{ id: provider['id'], name: provider['name'] }]
        : [],
    ),
    local_mailbox: isRecord(body) && body['local_mailbox'] === true,
  };
}
