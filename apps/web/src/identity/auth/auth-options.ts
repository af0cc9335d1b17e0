import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { get } from './endpoints.ts';

/** The sign-in methods of this installation. */
export const authOptionsQuery = queryOptions({
  queryKey: ['auth', 'options'],
  queryFn: () => get('options'),
  staleTime: Number.POSITIVE_INFINITY,
  // The link to the system inbox opens it in another tab.
  refetchOnWindowFocus: ({ state }) => (state.data?.local_mailbox === 'needs_link' ? 'always' : false),
});

/** For guards: loads the options before a page is shown, so that its layout does not shift. */
export const resolveAuthOptions = (queryClient: QueryClient): Promise<unknown> =>
  queryClient.ensureQueryData(authOptionsQuery).catch(() => undefined);
