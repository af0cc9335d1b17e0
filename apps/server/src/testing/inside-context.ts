import { internalOrigin } from '../identity/access/caller.ts';
import { unlimitedRequests } from '../identity/access/request-limits.ts';
import type { RequestContext } from '../identity/access/operations.ts';
import type { Database } from '../platform/database/database.ts';

/** Context to call a router without HTTP, as a user who has just signed in. */
export const insideContext = (db: Database, userId: string | undefined): RequestContext => ({
  db,
  expensiveDb: db,
  access: { db, limits: unlimitedRequests },
  findCaller: () =>
    Promise.resolve(
      userId === undefined
        ? undefined
        : { userId, session: { id: userId, signedInAt: new Date() }, apiKey: undefined },
    ),
  idempotencyKey: undefined,
  origin: internalOrigin,
  hasMailboxKey: false,
  log: { warn: () => {}, error: () => {} },
});
