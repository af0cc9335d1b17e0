import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { createPoller } from '../platform/poller.ts';
import type { VisitorEvent } from './event.ts';
import { addUse, type WebsiteAmount, type WebsiteUse } from './website-use.queries.ts';

export { getUse, type WebsiteAmount, type WebsiteUse } from './website-use.queries.ts';

interface CountedWebsite {
  readonly organizationId: string;
  readonly touchpointId: string;
  /** In a day. */
  readonly quota: WebsiteAmount;
  /** As it was stored at some time, of whatever day. */
  readonly used: WebsiteUse;
}

interface UseCounter {
  /** Takes the room of an event from the day of its website. @returns false if there is not enough */
  take(website: CountedWebsite, bytes: number): boolean;
  /** Undoes what was taken for events that could not be stored. */
  giveBack(website: CountedWebsite, amount: WebsiteAmount): void;
  /** Stores what was taken. */
  close(): Promise<void>;
}

interface Counted {
  organization_id: string;
  touchpoint_id: string;
  day: number;
  /** By all processes, as far as it is known here. */
  stored: WebsiteAmount;
  /** By this process, and not stored yet. */
  taken: WebsiteAmount;
}

/** Above this number, those of which all is stored are forgotten; they are looked up again. */
const maxWebsites = 10_000;
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Counts in memory what websites take in a day, and adds it to what is stored each second, which tells what all processes took
 * together: no event costs a statement, and the quota is exceeded by at most what other processes take within a second.
 */
export function createUseCounter(db: Database, log: Log, everyMs = 1_000): UseCounter {
  const counted = new Map<string, Counted>();

  function countedOf({ organizationId, touchpointId, used }: CountedWebsite): Counted {
    const day = Math.floor(Date.now() / dayMs);
    let today = counted.get(touchpointId);
    if (today?.day !== day) {
      today = {
        organization_id: organizationId,
        touchpoint_id: touchpointId,
        day,
        stored: { events: 0, bytes: 0 },
        taken: { events: 0, bytes: 0 },
      };
      counted.set(touchpointId, today);
    }
    learn(today, used);
    return today;
  }

  async function store(): Promise<void> {
    const added = [...counted.values()]
      .filter(({ taken }) => taken.events !== 0 || taken.bytes !== 0)
      .map((one) => ({ one, taken: { ...one.taken } }));
    if (added.length === 0) return;
    const rows = await addUse(
      db,
      added.map(({ one: { organization_id, touchpoint_id, day }, taken }) => ({
        organization_id,
        touchpoint_id,
        day,
        ...taken,
      })),
    );
    const usedOf = new Map(rows.map((row) => [row.touchpoint_id, row]));
    for (const { one, taken } of added) {
      one.taken.events -= taken.events;
      one.taken.bytes -= taken.bytes;
      learn(one, usedOf.get(one.touchpoint_id));
    }
    if (counted.size > maxWebsites)
      for (const [id, { taken }] of counted) if (taken.events === 0 && taken.bytes === 0) counted.delete(id);
  }

  const poller = createPoller({
    name: 'storing use of websites',
    everyMs,
    log,
    isOptional: true,
    work: store,
  });
  return {
    take: (website, bytes) => {
      const { stored, taken } = countedOf(website);
      const { quota } = website;
      if (stored.events + taken.events + 1 > quota.events) return false;
      if (stored.bytes + taken.bytes + bytes > quota.bytes) return false;
      taken.events += 1;
      taken.bytes += bytes;
      return true;
    },
    giveBack: (website, { events, bytes }) => {
      const { stored, taken } = countedOf(website);
      // Just after midnight they were taken from another day.
      taken.events -= Math.min(events, stored.events + taken.events);
      taken.bytes -= Math.min(bytes, stored.bytes + taken.bytes);
    },
    close: async () => {
      await poller.stop();
      await store().catch((error: unknown) => log.warn({ err: error }, 'last use of websites not stored'));
    },
  };
}

/** What a row has beside its texts. */
const rowBytes = 200;

/** About what an event takes in the database. */
export function bytesOf(event: VisitorEvent): number {
  const { url, title, referrer, name, userId, language } = event;
  let bytes = rowBytes;
  for (const text of [url, event.path, title, referrer, name, userId, language])
    if (text !== null) bytes += Buffer.byteLength(text);
  return bytes;
}

/** Within a day, what is stored only grows: the larger number is the later one. */
function learn(today: Counted, used: WebsiteUse | undefined): void {
  if (used?.day !== today.day) return;
  today.stored.events = Math.max(today.stored.events, used.events);
  today.stored.bytes = Math.max(today.stored.bytes, used.bytes);
}

/** What was stored of a website, for the screens that show whether it works. */
export { findEventSpan, listNewestEvents } from './website-use.queries.ts';
