import type { QueryFunction, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** The options of a query, as far as preloading it needs them. */
export interface Preloaded {
  queryKey: QueryKey;
  queryFn: QueryFunction;
}

/**
 * For loaders: starts the queries of a page. Neither waits nor throws (docs/decisions/0018-loaders-do-not-wait.md).
 * @param load  imports the queries when it is called: what a loader imports statically is part of the first load
 */
export function preload(load: () => Promise<readonly Preloaded[]>): void {
  const start = async () => {
    for (const query of await load()) void queryClient.prefetchQuery(query);
  };
  // A page whose queries could not be loaded asks for itself.
  start().catch(() => undefined);
}
