import { api } from '#web/platform/api.ts';

/** The own profile. */
export const meQuery = api.me.get.queryOptions({ staleTime: 60_000 });
