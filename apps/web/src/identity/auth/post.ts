import { fetchOrProblem } from '#web/platform/fetch.ts';
import { isRecord } from '#web/platform/problem.ts';

/**
 * Calls an endpoint below `/api/auth`, which is not part of the contract.
 * @throws Problem for every unsuccessful response
 */
export async function post(path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const response = await fetchOrProblem(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result: unknown = await response.json().catch(() => null);
  return isRecord(result) ? result : {};
}
