import { createCache } from '../../platform/cache.ts';
import type { Database } from '../../platform/database/database.ts';
import { findSendByNumber } from './send-lookup.queries.ts';
import type { SendRef } from './send-ref.ts';

export interface SendLookup {
  /** @param sendNumber  from a token whose signature was verified: the token is the permission */
  find(sendNumber: number): Promise<SendRef | undefined>;
}

/** Looks up the sends that tokens refer to. Results are cached in memory: a send never moves. */
export const createSendLookup = (db: Database): SendLookup => ({
  find: createCache(10_000, (sendNumber: number) => findSendByNumber(db, sendNumber)),
});
