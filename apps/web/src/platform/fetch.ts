import { checkConnection } from './connection.ts';
import { askToSignIn } from './sign-in-needed.ts';
import { isProblem, networkProblem, problemFrom } from './problem.ts';

/**
 * `fetch` that rejects with a `Problem` for every response that is not a success, and for no response at all. Says in
 * which language the page is: what the server writes to somebody is in that language until they chose one.
 */
export async function fetchOrProblem(request: Request | string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers ?? (request instanceof Request ? request.headers : undefined));
  headers.set('accept-language', document.documentElement.lang);
  let response: Response;
  try {
    response = await fetch(request, { ...init, headers, credentials: 'same-origin' });
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    // One lost response means little; whether the server is away is asked apart.
    void checkConnection();
    throw networkProblem();
  }
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  throw problemFrom(response.status, body, response.statusText);
}

/**
 * The same for what only signed-in people may do. Where the session has ended, or is too old for this operation, people
 * are asked to sign in over the page. Afterwards a read is repeated; so is an operation that only wanted a fresh
 * sign-in. A change that met an ended session is not: minutes later it must not happen by itself.
 */
export async function fetchSignedIn(request: Request | string, init: RequestInit = {}): Promise<Response> {
  // A body can be read once.
  const again = request instanceof Request ? request.clone() : request;
  try {
    return await fetchOrProblem(request, init);
  } catch (error) {
    if (!isProblem(error, 401) || (error.code !== 'not_signed_in' && error.code !== 'sign_in_again'))
      throw error;
    const method = (request instanceof Request ? request.method : init.method) ?? 'GET';
    const repeats = error.code === 'sign_in_again' || method === 'GET';
    const signedIn = askToSignIn(error.code, method === 'GET');
    if (!repeats || !(await signedIn)) throw error;
    return await fetchOrProblem(again, init);
  }
}
