import type { Step } from '../platform/database/pipelined.ts';
import type { StoredEvent } from './event.ts';

/**
 * Makes events of one organization into steps that run after the events are stored, in the same transaction, and are
 * rolled back with it. Whether an event counts is known only then, and a commit may be repeated: the steps look up
 * what was stored, and insert the same row once. Opens and clicks are in `unfolded_message_events` then, and in no count yet. They lock no send, because other transactions lock sends before they store events. It never
 * throws: the commit has events of other organizations.
 */
export type EventEffect = (events: readonly StoredEvent[]) => readonly Step[];
