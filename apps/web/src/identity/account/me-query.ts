import { api } from '#web/platform/api.ts';
import { queryClient } from '#web/platform/query-client.ts';
import { sessionQuery } from '#web/identity/auth/session.ts';

/** The own profile. */
export const meQuery = api.me.get.queryOptions({ staleTime: 60_000 });

/** After a change of the profile: name and address stand in the session, too. */
export const refreshMe = (): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  ]);
