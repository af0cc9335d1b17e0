import type { QueryFunction, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** The query options that preloading needs. */
export interface Preloaded {
  queryKey: QueryKey;
  queryFn: QueryFunction;
}

/**
 * For loaders: starts the queries of a page. Neither waits nor throws (docs/decisions/0018-loaders-do-not-wait.md).
 * @param load  imports the queries when called, because a loader's static imports are part of the first load
 */
export function preload(load: () => Promise<readonly Preloaded[]>): void {
  const start = async () => {
    for (const query of await load()) void queryClient.prefetchQuery(query);
  };
  // If this fails, the page requests its data itself.
  start().catch(() => undefined);
}
