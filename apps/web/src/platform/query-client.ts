import { MutationCache, QueryClient, type MutationKey, type Query } from '@tanstack/react-query';
import { isProblem, retrySecondsOf } from './problem.ts';

const day = 24 * 60 * 60 * 1000;

export const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    // A mutation is only complete once its changes are on screen.
    onSuccess: (_data, _variables, _result, { meta, options }) => {
      const owner = ownerOf(options.mutationKey);
      return owner === undefined || meta?.['refreshes'] === false ? undefined : refresh(owner);
    },
  }),
  defaultOptions: {
    queries: {
      gcTime: day,
      staleTime: 5_000,
      // Queries retry twice, and only if a retry can succeed soon.
      retry: (count, error) => count < 2 && canRecover(error),
      retryDelay: (attempt, error) => Math.max(600 * 2 ** attempt, 1_000 * (waitOf(error) ?? 0)),
    },
    // Without a connection a mutation fails at once: it must not happen unexpectedly minutes later.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Invalidates all queries of these owners (an organization's id, or `me`) and refetches those on screen. Records contain
 * names of other records, so a finer list of keys would soon be incomplete.
 */
export async function refresh(...owners: readonly string[]): Promise<void> {
  const predicate = ({ queryKey }: Pick<Query, 'queryKey'>) =>
    owners.some((owner) => owner === ownerOf(queryKey));
  restartReads(predicate);
  await queryClient.invalidateQueries({ predicate });
}

/**
 * A read in progress may have read the state before the change, and its result would count as fresh. Invalidating does not
 * restart such a read if no page uses its query, or if it is the query's first.
 */
function restartReads(predicate: (query: Query) => boolean): void {
  for (const query of queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' }))
    if (query.state.data === undefined || !query.isActive()) {
      // Callers waiting for the read get the result of the next one.
      void query.cancel({ silent: true });
      query.fetch().catch(() => undefined);
    }
}

/** For a mutation that is not a single contract operation: the owner whose queries it invalidates. */
export const changes = (owner: string) => ({ mutationKey: [[owner]] });

/** The keys of contract operations start with their path, which starts with an organization's id or `me`. */
function ownerOf(key: MutationKey | undefined): string | undefined {
  const path: unknown = key?.[0];
  return Array.isArray(path) && typeof path[0] === 'string' ? path[0] : undefined;
}

/** Maximum wait in seconds before an automatic retry; after a longer one the user decides. */
const longestWait = 10;

/** Whether the same request can succeed soon. */
export function canRecover(error: unknown): boolean {
  if (!isProblem(error)) return false;
  const wait = waitOf(error);
  if (error.status === 429) return wait !== undefined && wait <= longestWait;
  return error.status === 0 || (error.status >= 502 && (wait ?? 0) <= longestWait);
}

export const waitOf = (error: unknown): number | undefined =>
  isProblem(error) ? retrySecondsOf(error) : undefined;
