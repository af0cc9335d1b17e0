import { isHostOf } from '@reachout/contract/rules/website-hosts.ts';
import { LRUCache } from 'lru-cache';
import type { EventConversion } from '../../../events/event.ts';
import type { WebsiteAmount, WebsiteUse } from '../../../events/website-use.ts';
import { defaultQuotas } from '../../../identity/organizations/quotas.ts';
import type { Database } from '../../../platform/database/database.ts';
import { idFrom } from '../../../platform/ids.ts';
import { equalSecrets } from '../../../platform/equal-secrets.ts';
import { findWebsite } from './websites.queries.ts';

/** A website that events come from. */
export interface TrackedWebsite {
  readonly organizationId: string;
  readonly touchpointId: string;
  /** In a day. */
  readonly quota: WebsiteAmount;
  readonly used: WebsiteUse;
  /** Events of others are dropped. */
  readonly isActive: boolean;
  hasToken: (token: string) => boolean;
  /** Whether a host is in its list. @param host  lower case, in ASCII, with a port if it is not the default one */
  hasHost: (host: string) => boolean;
  /**
   * What a TRACK event counts as; null if it is no goal, or happened before it was one.
   * @param value  its own, which counts instead of that of the goal
   * @param id  of what is reached, which the goal counts once
   */
  conversionOf: (event: {
    name: string;
    at: Date;
    value: number | null;
    id: string | null;
  }) => EventConversion | null;
}

export interface Websites {
  /** What is in memory: null for an id of no website, undefined if it has to be looked up. */
  known(id: string): TrackedWebsite | null | undefined;
  /** Concurrent callers with the same id share one look-up. */
  lookUp(id: string): Promise<TrackedWebsite | null>;
}

/** A rotated token, a changed list of hosts and a pause take effect within this time. */
const maxAgeMs = 10_000;
const maxWebsites = 10_000;

/** Keeps websites, and ids of no website, in memory for ten seconds. */
export function createWebsites(db: Database): Websites {
  const found = new LRUCache<string, { website: TrackedWebsite | null }>({
    // By size, which allocates nothing in advance.
    maxSize: maxWebsites,
    sizeCalculation: () => 1,
    ttl: maxAgeMs,
    fetchMethod: async (id) => ({ website: await load(db, id) }),
    ignoreFetchAbort: true,
    allowStaleOnFetchAbort: true,
  });
  return {
    known: (id) => found.get(id)?.website,
    lookUp: async (id) => (await found.fetch(id))?.website ?? null,
  };
}

async function load(db: Database, id: string): Promise<TrackedWebsite | null> {
  const row = await findWebsite(db, id);
  if (row === undefined) return null;
  const { organizationId, touchpointId, token, status } = row;
  const hosts = new Set(row.hosts);
  const goals = new Map(row.goals.map((goal) => [goal.event, goal]));
  return {
    organizationId,
    touchpointId,
    quota: {
      events: row.eventLimit ?? defaultQuotas.website_events,
      bytes: (row.megabyteLimit ?? defaultQuotas.website_megabytes) * 1_000_000,
    },
    used: { day: row.usedDay ?? 0, events: row.usedEvents ?? 0, bytes: row.usedBytes ?? 0 },
    isActive: status === 'active',
    hasToken: (given) => equalSecrets(token, given),
    hasHost: (host) => isHostOf(hosts, host),
    conversionOf: ({ name, at, value, id: order }) => {
      if (goals.size === 0) return null;
      // Names of goals are stored in this form.
      const goal = goals.get(name.trim().normalize('NFC'));
      if (goal === undefined || at.getTime() < Date.parse(goal.created_at)) return null;
      const named = order?.trim() ?? '';
      return {
        goalId: goal.id,
        windowDays: goal.window_days,
        value: value ?? goal.value,
        ...(named !== '' && { id: idFrom(`${goal.id} ${named}`) }),
      };
    },
  };
}
