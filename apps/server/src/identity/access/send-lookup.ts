import { createCache } from '../../platform/cache.ts';
import type { Database } from '../../platform/database/database.ts';
import { findSendByNumber } from './send-lookup.queries.ts';
import type { SendPlace } from './send-ref.ts';

export interface SendDirectory {
  /** @param sendNumber from a token whose signature was checked: the token is the permission */
  find(sendNumber: number): Promise<SendPlace | undefined>;
}

/** Where the sends that tokens name belong, kept in memory: a send never moves. */
export function createSendDirectory(db: Database): SendDirectory {
  return {
    find: createCache(10_000, (sendNumber: number) => findSendByNumber(db, sendNumber)),
  };
}
