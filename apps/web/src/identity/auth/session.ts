import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import type { SignInCalls } from '@reachout/contract/sign-in.ts';
import { dropStart, takeStart } from '#web/platform/early-start.ts';
import { forgetKept } from '#web/platform/kept.ts';
import { forgetLocal, readLocal, writeLocal } from '#web/platform/local.ts';
import { dropPreferences } from '#web/platform/preferences.ts';
import { queryClient } from '#web/platform/query-client.ts';
import { get, post } from './endpoints.ts';
import { tellTabs } from './tabs.ts';

export type SessionUser = NonNullable<SignInCalls<'GET'>['get-session']['output']>['user'];

/** Loading, signed in or signed out; routes wait while it is loading. */
export type SessionState = { is: 'loading' } | { is: 'signed_in'; user: SessionUser } | { is: 'signed_out' };

/** The signed-in user, or `null`. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
});

const stateOf = (user: SessionUser | null | undefined): SessionState => {
  if (user === undefined) return { is: 'loading' };
  return user === null ? { is: 'signed_out' } : { is: 'signed_in', user };
};

/** For guards: returns the cached session, or loads it. */
export const resolveSession = async (client: QueryClient): Promise<SessionState> =>
  stateOf(await client.ensureQueryData(sessionQuery));

/** The cached session, without a request. */
export const currentSession = (): SessionState => stateOf(queryClient.getQueryData(sessionQuery.queryKey));

export const useSession = (): SessionState => stateOf(useQuery(sessionQuery).data);

/**
 * Call after every sign-in. After a change of account, nothing that the other account loaded is kept.
 * @throws Problem if the session cannot be read
 */
export async function startSession(): Promise<void> {
  const before = currentSession();
  const user = await readSession();
  if (before.is !== 'signed_in' || before.user.id !== user?.id) forgetAccount();
  if (user) writeLocal('account', user.id);
  queryClient.setQueryData(sessionQuery.queryKey, user);
}

/** Ends the session on the server, then in all tabs of this browser. */
export async function signOut(): Promise<void> {
  await post('sign-out', {});
  endSession();
}

/** For sessions that the server has ended: after an account deletion or a new password. */
export function endSession(): void {
  dropStart();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  tellTabs({ kind: 'signed_out' });
  sessionEnd.dispatchEvent(new Event('end'));
}

/** Notifies the page that the session has ended. */
export const sessionEnd = new EventTarget();

/** Clears loaded data of the user and their unsaved work stored in this browser; the session query is kept. */
export function forgetAccount(): void {
  dropStart();
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  queryClient.getMutationCache().clear();
  forgetWork();
}

function forgetWork(): void {
  forgetKept();
  forgetLocal(['account', 'organization', 'preferences', 'setup']);
  dropPreferences();
}

/** Providers and links sign users in by reloading the app: data that another user left in this browser must be cleared. */
function greet(user: SessionUser): void {
  if (readLocal('account') !== user.id) {
    forgetWork();
    writeLocal('account', user.id);
  }
  const before = currentSession();
  if (before.is !== 'signed_in' || before.user.id !== user.id)
    tellTabs({ kind: 'signed_in', userId: user.id });
}

/** Reloads the session from the server, bypassing the cache. */
export const refreshSession = (): Promise<SessionUser | null> =>
  queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });

async function readSession(): Promise<SessionUser | null> {
  const started = await takeStart('user');
  if (started !== undefined) {
    const { id, email, full_name: name, avatar_url } = started;
    const known = { id, email, name, avatar_url };
    greet(known);
    return known;
  }
  const session = await get('get-session');
  if (session === null) return null;
  greet(session.user);
  return session.user;
}
