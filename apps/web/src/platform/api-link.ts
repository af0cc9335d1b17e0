import type { ClientLink } from '@orpc/client';
import { fetchSignedIn } from './fetch.ts';
import { isRecord } from './problem.ts';

export interface RequestContext {
  /** Makes a repeat of an unsafe operation idempotent: the server returns the stored response of the first request. */
  idempotencyKey?: string;
}

/** An operation, as generated from the contract by the build. */
interface Operation {
  '~orpc': { route: { method: string; path: string }; meta: { bodyField?: string } };
}

/**
 * Calls operations with JSON responses, like oRPC's OpenAPI link. That link also supports files, streams and tracing, which
 * would add 8 kB to the first load; streams use it (`api-stream.ts`).
 * @param routes  operations by their path in the contract
 */
export const createApiLink = (routes: object): ClientLink<RequestContext> => ({
  call: async (path, input, { context, signal }) => {
    const { route, meta } = findOperation(routes, path)['~orpc'];
    const { method, path: pattern } = route;
    const { url, rest } = fillIn(pattern, isRecord(input) ? input : {});
    const headers = new Headers();
    if (context.idempotencyKey !== undefined) headers.set('idempotency-key', context.idempotencyKey);
    const init: RequestInit = { method, headers, signal: signal ?? null };
    const { bodyField } = meta;
    const { [bodyField ?? '']: item, ...others } = rest;
    if (method === 'GET' || bodyField !== undefined)
      for (const [key, value] of listParameters(others)) url.searchParams.append(key, value);
    if (bodyField !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(item);
    } else if (
      method !== 'GET' &&
      (Object.keys(rest).length > 0 || (isRecord(input) && !pattern.includes('{')))
    ) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(rest);
    }
    const response = await fetchSignedIn(new Request(url, init));
    const body = await response.text();
    return body === '' ? undefined : (JSON.parse(body) as unknown);
  },
});

function findOperation(routes: object, path: readonly string[]): Operation {
  const found = path.reduce<unknown>((place, name) => (isRecord(place) ? place[name] : undefined), routes);
  if (!isRecord(found) || !('~orpc' in found)) throw new Error(`There is no operation ${path.join('.')}.`);
  return found as unknown as Operation;
}

/** @returns the URL path with its parameters filled in, and the remaining input */
function fillIn(pattern: string, input: Record<string, unknown>) {
  const rest = { ...input };
  const path = pattern.replaceAll(/\{\+?([^}]+)\}/g, (_parameter, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(input[name]));
  });
  return { url: new URL(`/api${path}`, location.origin), rest };
}

/** Flattens query values to name-value pairs, nested ones as `sort[0]` and `filter[name]`. Undefined values are omitted. */
function listParameters(value: unknown, name = ''): [name: string, value: string][] {
  const within = (key: string | number) => (name === '' ? String(key) : `${name}[${key}]`);
  if (Array.isArray(value)) return value.flatMap((entry, index) => listParameters(entry, within(index)));
  if (value instanceof Date) return [[name, value.toISOString()]];
  if (isRecord(value))
    return Object.entries(value).flatMap(([key, entry]) => listParameters(entry, within(key)));
  const isShown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isShown ? [[name, String(value)]] : [];
}
