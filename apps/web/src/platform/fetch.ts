import { networkProblem, Problem, problemFrom } from './problem.ts';

/** `fetch` that rejects with a `Problem` for every answer that is not a success, and for no answer at all. */
export async function fetchOrProblem(request: Request | string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(request, init);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw networkProblem();
  }
  if (response.ok) return response;
  const problem = await readProblem(response);
  // Whoever shows what is allowed asks again: it may have changed.
  if (problem.status === 403) document.dispatchEvent(new Event('reachout:forbidden'));
  throw problem;
}

async function readProblem(response: Response): Promise<Problem> {
  try {
    return problemFrom(response.status, await response.json(), response.statusText);
  } catch {
    return new Problem({
      status: response.status,
      code: `http_${response.status}`,
      title: response.statusText,
    });
  }
}
