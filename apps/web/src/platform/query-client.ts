import { MutationCache, QueryClient, type MutationKey, type Query } from '@tanstack/react-query';
import { isProblem, retrySecondsOf } from './problem.ts';

const day = 24 * 60 * 60 * 1000;

export const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    // A change is over once what it changed is on screen.
    onSuccess: (_data, _variables, _result, { meta, options }) =>
      meta?.['refreshes'] === false ? undefined : refresh(ownerOf(options.mutationKey) ?? ''),
  }),
  defaultOptions: {
    queries: {
      gcTime: day,
      staleTime: 5_000,
      // Reads try again twice, and only where trying again can help soon.
      retry: (count, error) => count < 2 && canRecover(error),
      retryDelay: (attempt, error) => Math.max(600 * 2 ** attempt, 1_000 * (waitOf(error) ?? 0)),
    },
    // Without a connection a change fails at once: minutes later it must not happen by itself.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Marks everything loaded of these owners (an organization's id, or `me`) as out of date and fetches again what is on
 * screen. Records show the names of others, so a finer list of keys would soon be incomplete.
 */
export async function refresh(...owners: readonly string[]): Promise<void> {
  const predicate = ({ queryKey }: Pick<Query, 'queryKey'>) => owners.includes(ownerOf(queryKey) ?? '');
  restartReads(predicate);
  await queryClient.invalidateQueries({ predicate });
}

/**
 * A read that is under way may have seen what held before the change, and its arrival would count as fresh. Where no
 * page shows its query yet, or where it is the first of its query, invalidating does not begin it anew.
 */
function restartReads(predicate: (query: Query) => boolean): void {
  for (const query of queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' }))
    if (query.state.data === undefined || !query.isActive()) {
      // Who waits for the read gets the result of the next one.
      void query.cancel({ silent: true });
      query.fetch().catch(() => undefined);
    }
}

/** For a mutation that is not one operation of the contract: what it makes out of date. */
export const changes = (owner: string) => ({ mutationKey: [[owner]] });

/** The keys of the contract's operations start with their path, and that with an organization's id or `me`. */
function ownerOf(key: MutationKey | undefined): string | undefined {
  const path: unknown = key?.[0];
  return Array.isArray(path) && typeof path[0] === 'string' ? path[0] : undefined;
}

/** Seconds; a longer wait is for the person to decide on. */
const longestWait = 10;

function canRecover(error: unknown): boolean {
  if (!isProblem(error)) return false;
  const wait = waitOf(error);
  if (error.status === 429) return wait !== undefined && wait <= longestWait;
  return error.status === 0 || (error.status >= 502 && (wait ?? 0) <= longestWait);
}

const waitOf = (error: unknown): number | undefined => (isProblem(error) ? retrySecondsOf(error) : undefined);
