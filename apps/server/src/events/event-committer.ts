import { createGroupCommit, QueueFull } from '../platform/group-commit.ts';
import { wasRolledBack, type PipelinedDatabase } from '../platform/database/pipelined.ts';
import type { Log } from '../platform/log.ts';
import type { StoredEvent } from './event.ts';
import { eventBacklog, admitEvents, type Subject } from './event-backlog.ts';
import type { EventEffect } from './effects.ts';
import { storeEvents } from './store-events.ts';

/**
 * Maximum events of each subject waiting for a commit, so that a flood of one loses no events of the other. Further opens and
 * clicks are not counted: responses matter more.
 */
const maxWaiting = 20_000;
const maxBatch = 2_000;

export interface EventCommitter {
  /**
   * Resolves once the events are committed, so that they are stored before the response.
   * @param events  of one subject and organization
   * @throws QueueFull, or the error of PostgreSQL. The events were then not counted, unless a connection broke in the commit
   */
  add(...events: readonly StoredEvent[]): Promise<void>;
  /** Resolves when all added events are committed or have failed. */
  close(): Promise<void>;
}

/** Stores opens, clicks and events of visitors: all waiting events share a commit. */
export function createEventCommitter(
  db: PipelinedDatabase,
  effects: readonly EventEffect[],
  log: Log,
): EventCommitter {
  let dropped = 0;
  const waiting: Record<Subject, number> = { message: 0, visitor: 0 };

  /** @returns false if the events of several organizations were rolled back together: the caller then stores each alone */
  async function store(events: readonly StoredEvent[], organizations: readonly string[]): Promise<boolean> {
    try {
      await storeEvents(db, events, effects);
    } catch (error) {
      if (organizations.length > 1 && wasRolledBack(error)) return false;
      log.error(
        { err: error, organizations: organizations.slice(0, 10), events: events.length },
        'tracking events not stored',
      );
      throw error;
    }
    // One log line for all events dropped since the last commit, not one for each.
    if (dropped > 0) log.warn({ dropped }, 'tracking events dropped: too many were waiting');
    dropped = 0;
    return true;
  }

  const commits = createGroupCommit<readonly StoredEvent[]>({
    groupOf: ([event]) => event!.organizationId,
    sizeOf: (events) => events.length,
    store: async (organizationId, items) => {
      await store(items.flat(), [organizationId]);
    },
    storeTogether: async (groups) => await store([...groups.values()].flat(2), [...groups.keys()]),
    maxQueued: 2 * maxWaiting,
    maxBatch,
  });
  return {
    add: async (...events) => {
      const [first] = events;
      if (first === undefined) return;
      const { subject, organizationId } = first;
      try {
        if (!admitEvents(subject, organizationId, events.length))
          throw new QueueFull('Too many events wait to be folded.');
        if (waiting[subject] + events.length > maxWaiting) throw new QueueFull('Too many events wait.');
        waiting[subject] += events.length;
        await commits.add(events).finally(() => {
          waiting[subject] -= events.length;
        });
      } catch (error) {
        if (error instanceof QueueFull) {
          dropped += events.length;
          eventBacklog.dropped[subject] += events.length;
        }
        throw error;
      }
    },
    close: () => commits.close(),
  };
}
