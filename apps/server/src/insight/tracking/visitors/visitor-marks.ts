import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { attempt } from '../../../platform/attempt.ts';
import { inOrganization, type Database } from '../../../platform/database/database.ts';
import { createFairLimiter } from '../../../platform/fair-limiter.ts';
import { idFrom } from '../../../platform/ids.ts';
import { LimitExceeded } from '../../../platform/limit-exceeded.ts';
import { addToCounters } from '../../../platform/rate-limits/rate-limits.queries.ts';
import type { SealPlace, Secrets } from '../../../platform/secrets.ts';
import type { TrackedWebsite } from './websites.ts';

/** The tracking client uses one for four minutes at most. */
const validMs = 5 * 60_000;
/** Longer than it is valid, since the clocks of processes differ. */
const rememberedMs = 2 * validMs;

/** Clicks of emails wait for the same few connections. */
const atOnce = {
  bound: 'arrivals of visitors',
  maxConcurrent: 2,
  reserved: 0,
  maxQueuedPerAccount: 50,
  maxQueued: 200,
};
const waitMs = 1_000;

interface Hosts {
  /** Of the page with the link. */
  from: string | undefined;
  /** Of the page that it leads to. */
  to: string | undefined;
}

export interface VisitorMarks {
  /** @returns the mark of a link, up to 128 characters; null unless both are hosts of the website */
  issue: (website: TrackedWebsite, visitorId: string, hosts: Hosts) => string | null;
  /**
   * Uses a mark up.
   * @param hosts  `from` is that of the referrer: links in messages have none, and are followed by other people
   * @returns the visitor that it is of; null for any other text, and for a mark of another website or host, an old one, and one that
   *   was used, in whatever process
   */
  redeem: (website: TrackedWebsite, mark: string, hosts: Hosts) => Promise<string | null>;
}

/**
 * Marks that links take along from a host of a website to one with other cookies. docs/decisions/0155
 * @param canUse  whether one more mark of a website may be used now: each is a row for a while
 */
export function createVisitorMarks({
  db,
  secrets,
  canUse,
}: {
  db: Database;
  secrets: Secrets;
  canUse: (touchpointId: string) => boolean;
}): VisitorMarks {
  const takeTurn = createFairLimiter(atOnce);
  /** In this process: a mark that is repeated thousands of times costs the database one row, once. */
  const used = new LRUCache<string, true>({ max: 10_000 });

  function open(place: SealPlace, mark: string): string | undefined {
    // Whatever is wrong with it, the response is the same.
    return attempt(() => secrets.open(place, mark), undefined);
  }

  return {
    issue: (website, visitorId, { from = '', to = '' }) =>
      website.hasHost(from) && website.hasHost(to)
        ? secrets.seal(placeOf(website, to), contentOf(visitorId))
        : null,
    redeem: async (website, mark, { from = '', to = '' }) => {
      if (!website.hasHost(from) || !website.hasHost(to)) return null;
      const { organizationId, touchpointId } = website;
      const content = open(placeOf(website, to), mark);
      if (content === undefined) return null;
      const now = new Date();
      const [visitorId = '', until = ''] = content.split(' ');
      if (Number.parseInt(until, 36) < now.getTime()) return null;
      // Not of the mark, which has several spellings.
      const key = `visitor_marks ${idFrom(`${touchpointId} ${to} ${content}`)}`;
      if (used.has(key) || !canUse(touchpointId)) return null;
      used.set(key, true);
      const count = () =>
        inOrganization(db, organizationId, (trx) =>
          addToCounters(trx, new Map([[key, 1]]), { windowMs: rememberedMs, now }),
        );
      try {
        const [use] = await takeTurn([{ id: touchpointId, maxConcurrent: 2 }], { usualMs: waitMs }, count);
        return use!.points === 1 ? visitorId : null;
      } catch (error) {
        if (error instanceof LimitExceeded) return null;
        throw error;
      }
    },
  };
}

/** The last part is another one in each mark of a visitor. */
const contentOf = (visitorId: string): string =>
  [visitorId, (Date.now() + validMs).toString(36), randomBytes(4).toString('hex')].join(' ');

const placeOf = ({ organizationId, touchpointId }: TrackedWebsite, host: string): SealPlace => ({
  table: 'visitor marks',
  column: host,
  id: touchpointId,
  organizationId,
});
