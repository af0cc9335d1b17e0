import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { fetchOrProblem } from '#web/platform/fetch.ts';
import { forgetKept } from '#web/platform/kept.ts';
import { forgetLocal, readLocal, writeLocal } from '#web/platform/local.ts';
import { isRecord } from '#web/platform/problem.ts';
import { dropPreferences } from '#web/platform/preferences.ts';
import { queryClient } from '#web/platform/query-client.ts';
import { post } from './post.ts';
import { tellTabs } from './tabs.ts';

export interface SessionUser {
  id: string;
  email: string;
  name: string;
  avatar_url: string | null;
}

/** Loading, signed in or signed out; routes wait while it is loading. */
export type SessionState = { is: 'loading' } | { is: 'signed_in'; user: SessionUser } | { is: 'signed_out' };

/** Who is signed in; `null` for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
});

const stateOf = (user: SessionUser | null | undefined): SessionState => {
  if (user === undefined) return { is: 'loading' };
  return user === null ? { is: 'signed_out' } : { is: 'signed_in', user };
};

/** For guards: as it is known, or asked for. */
export const resolveSession = async (client: QueryClient): Promise<SessionState> =>
  stateOf(await client.ensureQueryData(sessionQuery));

/** What is known without asking. */
export const currentSession = (): SessionState => stateOf(queryClient.getQueryData(sessionQuery.queryKey));

export const useSession = (): SessionState => stateOf(useQuery(sessionQuery).data);

/**
 * After every way of signing in. Nothing that another account has loaded survives a change of account.
 * @throws Problem when the session cannot be read
 */
export async function startSession(): Promise<void> {
  const before = currentSession();
  const user = await readSession();
  if (before.is !== 'signed_in' || before.user.id !== user?.id) forgetAccount();
  if (user) writeLocal('account', user.id);
  queryClient.setQueryData(sessionQuery.queryKey, user);
}

/** Ends the session on the server, then in every tab of this browser. */
export async function signOut(): Promise<void> {
  await post('sign-out', {});
  endSession();
}

/** For when the server has ended the session: after a deleted account, or a new password. */
export function endSession(): void {
  queryClient.setQueryData(sessionQuery.queryKey, null);
  tellTabs({ kind: 'signed_out' });
  sessionEnd.dispatchEvent(new Event('end'));
}

/** Tells the page that nobody is signed in any more. */
export const sessionEnd = new EventTarget();

/** Empties what was loaded for a person, and what this browser keeps about their work; who is signed in stays known. */
export function forgetAccount(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  queryClient.getMutationCache().clear();
  forgetWork();
}

function forgetWork(): void {
  forgetKept();
  forgetLocal(['account', 'organization', 'preferences', 'setup']);
  dropPreferences();
}

/** Providers and links sign people in by loading the app anew: what another person left here must not meet them. */
function greet(user: SessionUser): void {
  if (readLocal('account') !== user.id) {
    forgetWork();
    writeLocal('account', user.id);
  }
  const before = currentSession();
  if (before.is !== 'signed_in' || before.user.id !== user.id)
    tellTabs({ kind: 'signed_in', userId: user.id });
}

/** Asks the server anew, past the cache. */
export const refreshSession = (): Promise<SessionUser | null> =>
  queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });

async function readSession(): Promise<SessionUser | null> {
  const response = await fetchOrProblem('/api/auth/get-session');
  const body: unknown = await response.json();
  const user = isRecord(body) ? body['user'] : undefined;
  if (!isRecord(user) || typeof user['id'] !== 'string') return null;
  const known = {
    id: user['id'],
    email: textOf(user['email']),
    name: textOf(user['name']),
    avatar_url: textOf(user['avatar_url']) || null,
  };
  greet(known);
  return known;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
