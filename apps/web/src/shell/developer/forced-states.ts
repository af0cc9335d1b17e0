import { routes } from 'virtual:contract-routes';
import { queryClient } from '#web/platform/query-client.ts';
import { isRecord } from '#web/platform/problem.ts';
import { traffic, type SeenRequest } from '#web/platform/traffic.ts';

// Loaded only on the own machine (is-local.ts). Importing it sets the hook in `platform/fetch.ts`.

export const forcedStates = ['empty', 'error', 'denied', 'slow'] as const;
export type ForcedState = (typeof forcedStates)[number];

/** Stands for all operations but those of the frame. */
export const everything = '*';

const slowMs = 2_000;
const forced = new Map<string, ForcedState>();
const listeners = new Set<() => void>();
let snapshot: readonly (readonly [operation: string, state: ForcedState])[] = [];

/** For `useSyncExternalStore`. */
export const forcedStore = {
  subscribe: (onChange: () => void) => {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  },
  get: () => snapshot,
};

/** @param state  undefined removes it */
export function force(operation: string, state: ForcedState | undefined): void {
  if (state === undefined) forced.delete(operation);
  else forced.set(operation, state);
  change((name) => operation === everything || name === operation);
}

export function clearForced(): void {
  if (forced.size === 0) return;
  forced.clear();
  change(() => true);
}

/** Queries start anew, because those with data would go on to show it. */
function change(isConcerned: (operation: string) => boolean): void {
  snapshot = [...forced];
  for (const listener of listeners) listener();
  void queryClient.resetQueries({
    predicate: ({ queryKey }) => {
      const name = operationOf(queryKey);
      return name !== undefined && !isOfFrame(name) && isConcerned(name);
    },
  });
}

/** The keys of contract operations start with their owner and path. */
export function operationOf(queryKey: readonly unknown[]): string | undefined {
  const [path] = queryKey;
  const name = Array.isArray(path) ? path.slice(1).join('.') : '';
  return operations.some((operation) => operation.name === name) ? name : undefined;
}

/** What the page around the panel needs. */
const isOfFrame = (operation: string): boolean =>
  /^(?:start|me\.|organizations\.(?:list|get|permissions)$)/.test(operation);

interface Operation {
  name: string;
  method: string;
  path: RegExp;
}

function listOperations(router: unknown, names: readonly string[] = []): Operation[] {
  if (!isRecord(router)) return [];
  const procedure = router['~orpc'];
  if (!isRecord(procedure))
    return Object.entries(router).flatMap(([name, part]) => listOperations(part, [...names, name]));
  const { method, path } = procedure['route'] as { method: string; path: string };
  const pattern = path.replaceAll(/\{\+?[^}]+\}/g, '[^/]+');
  return [{ name: names.join('.'), method, path: new RegExp(`^/api${pattern}$`) }];
}

const operations = listOperations(routes);
export const operationNames = operations.map(({ name }) => name).filter((name) => !isOfFrame(name));

function stateOf({ method, path }: SeenRequest): ForcedState | undefined {
  const found = operations.find((operation) => operation.method === method && operation.path.test(path));
  if (found === undefined || isOfFrame(found.name)) return undefined;
  return forced.get(found.name) ?? forced.get(everything);
}

traffic.force = async (request, send) => {
  const state = stateOf(request);
  if (state === 'error') return problem(500, 'internal');
  if (state === 'denied') return problem(403, 'forbidden');
  if (state === 'slow') await new Promise((resolve) => setTimeout(resolve, slowMs));
  const response = await send();
  if (state !== 'empty' || request.method !== 'GET' || !response.ok) return response;
  return Response.json(emptied(await response.json()), { headers: response.headers });
};

const problem = (status: number, code: string) =>
  Response.json({ status, code, title: `Forced ${status}` }, { status });

/** Removes all entries of lists, and their counts. */
function emptied(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === 'number' && key.includes('count')) return 0;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, emptied(part, name)]));
}
