import type { QueryFunctionContext } from '@tanstack/react-query';
import type { client } from './api.ts';

/** The response of `GET /api/start`. */
type Start = Awaited<ReturnType<typeof client.start>>;
type Input = Parameters<typeof client.start>[0];

declare global {
  interface Window {
    /** What the script in `index.html` has requested; the response is undefined if that failed. */
    earlyStart?: { input: Input; response: Promise<Start | undefined> };
  }
}

/** After this time, parts that no page has used are outdated. */
const freshMs = 30_000;

const used = new Set<keyof Start>();

/** After a change of account: the response is of the other one. */
export function dropStart(): void {
  delete window.earlyStart;
}

/** Query options whose first request is the early one, if that was for the same input. */
export const startedEarly = <Q extends { queryFn: (context: QueryFunctionContext) => unknown }>(
  part: keyof Start,
  query: Q,
  input?: Input,
): Q => ({
  ...query,
  queryFn: async (context: QueryFunctionContext) =>
    (await takeStart(part, input)) ?? (await query.queryFn(context)),
});

/**
 * Takes a part of what the page has requested before its scripts were loaded. Each part is used once, by the first query
 * that wants it.
 * @param input  what the part must have been requested for
 * @returns undefined if the query has to send its own request
 */
export async function takeStart<K extends keyof Start>(
  part: K,
  input: Input = {},
): Promise<NonNullable<Start[K]> | undefined> {
  const { earlyStart } = window;
  if (earlyStart === undefined || used.has(part)) return undefined;
  const wanted = JSON.stringify({ ...earlyStart.input, ...input });
  if (wanted !== JSON.stringify(earlyStart.input)) return undefined;
  used.add(part);
  const response = await earlyStart.response;
  // The account may have changed meanwhile.
  const isCurrent = window.earlyStart === earlyStart && performance.now() < freshMs;
  return (isCurrent ? response?.[part] : undefined) ?? undefined;
}
