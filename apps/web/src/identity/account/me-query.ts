import { api } from '#web/platform/api.ts';

/** The profile of the signed-in user. */
export const meQuery = api.me.get.queryOptions({ staleTime: 60_000 });
