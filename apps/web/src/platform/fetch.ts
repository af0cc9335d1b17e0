import { checkConnection } from './connection.ts';
import { askToSignIn } from './sign-in-needed.ts';
import { isProblem, networkProblem, problemFrom } from './problem.ts';

/**
 * `fetch` that rejects with a `Problem` for every unsuccessful response, and if there is no response. Sends the page
 * language: the server uses it for emails to users who have not chosen a language.
 */
export async function fetchOrProblem(request: Request | string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers ?? (request instanceof Request ? request.headers : undefined));
  headers.set('accept-language', document.documentElement.lang);
  let response: Response;
  try {
    response = await fetch(request, { ...init, headers, credentials: 'same-origin' });
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    // A single lost response means little; a separate request checks whether the server is away.
    void checkConnection();
    throw networkProblem();
  }
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  throw problemFrom(response.status, body, response.statusText);
}

/**
 * `fetchOrProblem` for signed-in users. If the session has ended, or the sign-in is too old for the operation, a dialog asks
 * the user to sign in. Afterwards reads are repeated, and so are operations that only needed a recent sign-in. A change that
 * failed because the session had ended is not repeated: it must not happen unexpectedly minutes later.
 */
export async function fetchSignedIn(request: Request | string, init: RequestInit = {}): Promise<Response> {
  // A body can only be read once.
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
