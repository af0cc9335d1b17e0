import { dropReasons, type DropReason } from '@reachout/contract/states/website.ts';
import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { byKey, counter, type Metric } from '../platform/metrics/metric.ts';
import { createPoller } from '../platform/poller.ts';
import { addDrops, type WebsiteDrops } from './website-use.queries.ts';

export { listDrops } from './website-use.queries.ts';

/** Counts kept in memory; those of more websites are not counted until these are stored. */
const maxCounts = 10_000;

/** Events by reason, since the start of this process. */
const dropped = Object.fromEntries(dropReasons.map((reason) => [reason, 0])) as Record<DropReason, number>;

/** docs/metrics.md */
export const collectDropMetrics = (): Metric[] => [
  counter(
    'reachout_website_events_dropped_total',
    'Events of websites that were not stored, by reason.',
    byKey('reason', dropped),
  ),
];

export interface DropCounter {
  /** Counts events of a known website that are not stored. */
  count(website: { organizationId: string; touchpointId: string }, reason: DropReason, events?: number): void;
  /** Stores what was counted. */
  close(): Promise<void>;
}

/** Counts dropped events in memory and stores the counts each second, so that a flood of them costs no statement each. */
export function createDropCounter(db: Database, log: Log, everyMs = 1_000): DropCounter {
  let counts = new Map<string, WebsiteDrops>();

  function add(drops: WebsiteDrops): void {
    const { organization_id, touchpoint_id, reason, last_at } = drops;
    const key = [organization_id, touchpoint_id, reason, last_at.toISOString().slice(0, 10)].join(' ');
    const counted = counts.get(key);
    if (counted !== undefined) {
      counted.count += drops.count;
      if (counted.last_at < last_at) counted.last_at = last_at;
    } else if (counts.size < maxCounts) counts.set(key, drops);
  }

  async function store(): Promise<void> {
    if (counts.size === 0) return;
    const stored = [...counts.values()];
    counts = new Map();
    try {
      await addDrops(db, stored);
    } catch (error) {
      for (const drops of stored) add(drops);
      throw error;
    }
  }

  const poller = createPoller({ name: 'storing drops', everyMs, log, isOptional: true, work: store });
  return {
    count: ({ organizationId, touchpointId }, reason, events = 1) => {
      dropped[reason] += events;
      add({
        organization_id: organizationId,
        touchpoint_id: touchpointId,
        reason,
        count: events,
        last_at: new Date(),
      });
    },
    close: async () => {
      await poller.stop();
      await store().catch((error: unknown) => log.warn({ err: error }, 'last drops not stored'));
    },
  };
}
