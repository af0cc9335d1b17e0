import { isRecord, Problem } from '#web/platform/problem.ts';

/** Seconds to wait after too many attempts; undefined for any other error. */
export function retrySeconds(error: unknown): number | undefined {
  if (!(error instanceof Problem) || error.status !== 429) return undefined;
  const { data } = error.extra;
  const wait = Number(isRecord(data) ? data['retry_after'] : undefined);
  return Number.isFinite(wait) && wait > 0 ? Math.ceil(wait) : 60;
}
