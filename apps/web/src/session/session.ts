import { queryOptions } from '@tanstack/react-query';
import { fetchOrProblem } from '../platform/fetch.ts';
import { isRecord } from '../platform/problem.ts';
import { queryClient } from '../platform/query-client.ts';

export interface SessionUser {
  id: string;
  email: string;
  name: string;
}

/** Who is signed in; `null` for nobody. Every route that needs a person asks this first. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
});

export async function signIn(email: string, password: string): Promise<void> {
  await post('sign-in/email', { email, password });
  await startAfresh();
}

export async function signUp(name: string, email: string, password: string): Promise<void> {
  await post('sign-up/email', { name, email, password });
  await startAfresh();
}

export async function signOut(): Promise<void> {
  await post('sign-out', {});
  queryClient.clear();
}

/** Nothing that another account has loaded may survive a change of account. */
async function startAfresh(): Promise<void> {
  queryClient.clear();
  await queryClient.fetchQuery(sessionQuery);
}

async function readSession(): Promise<SessionUser | null> {
  const response = await fetchOrProblem('/api/auth/get-session', { credentials: 'same-origin' });
  const body: unknown = await response.json();
  const user = isRecord(body) ? body['user'] : undefined;
  if (!isRecord(user) || typeof user['id'] !== 'string') return null;
  return { id: user['id'], email: textOf(user['email']), name: textOf(user['name']) };
}

async function post(path: string, body: Record<string, unknown>): Promise<void> {
  await fetchOrProblem(`/api/auth/${path}`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
