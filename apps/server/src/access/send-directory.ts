import { createCache } from '../platform/cache.ts';
import type { Database } from '../platform/database/database.ts';
import { findSendByNumber } from './send-directory.queries.ts';

export interface SendPlace {
  organizationId: string;
  sendId: string;
  touchpointId: string;
  brandId: string;
}

export interface SendDirectory {
  /** @param sendNumber from a token whose signature was checked: the token is the permission */
  find(sendNumber: number): Promise<SendPlace | undefined>;
}

/** Where the sends that tokens name belong, kept in memory: a send never moves (performance.md I4). */
export function createSendDirectory(db: Database): SendDirectory {
  return {
    find: createCache(10_000, async (sendNumber: number) => {
      const place = await findSendByNumber(db, sendNumber);
      if (place === undefined) return undefined;
      return {
        organizationId: place.organization_id,
        sendId: place.send_id,
        touchpointId: place.touchpoint_id,
        brandId: place.brand_id,
      };
    }),
  };
}
