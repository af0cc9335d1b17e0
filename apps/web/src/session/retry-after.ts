import { Problem } from '../platform/problem.ts';

/** Seconds to wait after too many tries; the server says them in different places. */
export function retrySeconds(error: unknown): number | undefined {
  if (!(error instanceof Problem) || error.status !== 429) return undefined;
  const wait = Number(error.extra['retry_after'] ?? error.extra['retryAfter'] ?? 60);
  return Number.isFinite(wait) && wait > 0 ? Math.ceil(wait) : 60;
}
