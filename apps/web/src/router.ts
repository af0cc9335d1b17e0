import { createRouter } from '@tanstack/react-router';
import { queryClient } from './platform/query-client.ts';
import { routeTree } from './routeTree.gen.ts';
import { RouteError, RouteNotFound } from './shell/route-states.tsx';

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: RouteNotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
