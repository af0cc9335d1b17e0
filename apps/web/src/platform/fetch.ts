import { checkConnection } from './connection.ts';
import { startNote, traffic } from './traffic.ts';
import { askToSignIn } from './sign-in-needed.ts';
import { isProblem, networkProblem, problemFrom } from './problem.ts';

/**
 * `fetch` that rejects with a `Problem` for every unsuccessful response, and if there is no response. Sends the page
 * language: the server uses it for emails to users who have not chosen a language.
 */
export async function fetchOrProblem(request: Request | string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers ?? (request instanceof Request ? request.headers : undefined));
  headers.set('accept-language', document.documentElement.lang);
  const note = startNote(request, init);
  const send = () => fetch(request, { ...init, headers, credentials: 'same-origin' });
  let response: Response;
  try {
    response = await (traffic.force?.(note, send) ?? send());
  } catch (error) {
    note.end(0);
    if (error instanceof Error && error.name === 'AbortError') throw error;
    // A single lost response means little; a separate request checks whether the server is away.
    void checkConnection();
    throw networkProblem();
  }
  const { status, statusText } = response;
  const id = response.headers.get('x-request-id');
  if (response.ok) {
    note.end(status, id);
    return response;
  }
  const problem = problemFrom(status, await response.json().catch(() => undefined), statusText, id);
  note.end(status, id, problem.code);
  throw problem;
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
