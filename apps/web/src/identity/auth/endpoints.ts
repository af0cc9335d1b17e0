import type { SignInCalls } from '@reachout/contract/sign-in.ts';
import { fetchOrProblem } from '#web/platform/fetch.ts';

type Gets = SignInCalls<'GET'>;
type Posts = SignInCalls<'POST'>;

/**
 * Reads from an endpoint below `/api/auth`.
 * @throws Problem for every unsuccessful response
 */
export async function get<Path extends keyof Gets>(path: Path): Promise<Gets[Path]['output']> {
  const response = await fetchOrProblem(`/api/auth/${path}`);
  return (await response.json()) as Gets[Path]['output'];
}

/**
 * Calls an endpoint below `/api/auth`.
 * @throws Problem for every unsuccessful response
 */
export async function post<Path extends keyof Posts>(
  path: Path,
  body: Posts[Path]['input'],
): Promise<Posts[Path]['output']> {
  const response = await fetchOrProblem(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Posts[Path]['output'];
}
