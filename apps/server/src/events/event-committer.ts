import { createGroupCommit, QueueFull } from '../platform/group-commit.ts';
import type { PipelinedDatabase } from '../platform/database/pipelined.ts';
import type { Log } from '../platform/log.ts';
import type { MessageEvent } from './event.ts';
import { storeEvents } from './store-events.ts';

/** Events that may wait for their commit. Further ones are not counted: responses matter more. */
const maxQueued = 20_000;
const maxBatch = 2_000;

export interface EventCommitter {
  /**
   * Resolves once the event is committed, so that it is stored before the response.
   * @throws QueueFull, and whatever keeps PostgreSQL from storing it: then it was not counted
   */
  add(event: MessageEvent): Promise<void>;
  /** Resolves when all added events are committed or have failed. */
  close(): Promise<void>;
}

/** Takes in opens and clicks: many of an organization in one statement, one commit under way. */
export function createEventCommitter(db: PipelinedDatabase, log: Log): EventCommitter {
  let dropped = 0;
  const commits = createGroupCommit<MessageEvent>({
    groupOf: (event) => event.organizationId,
    store: async (organizationId, events) => {
      try {
        await storeEvents(db, organizationId, events);
      } catch (error) {
        log.error(
          { err: error, organization: organizationId, events: events.length },
          'tracking events not stored',
        );
        throw error;
      }
      // One line for all that was dropped since the last commit, not one for each.
      if (dropped > 0) log.warn({ dropped }, 'tracking events dropped: too many were waiting');
      dropped = 0;
    },
    maxQueued,
    maxBatch,
  });
  return {
    add: async (event) => {
      try {
        await commits.add(event);
      } catch (error) {
        if (error instanceof QueueFull) dropped++;
        throw error;
      }
    },
    close: () => commits.close(),
  };
}
