import type { Transaction } from '../platform/database/database.ts';
import { runSteps, type PipelinedDatabase, type Step } from '../platform/database/pipelined.ts';
import type { EventCondition, MessageEvent, StoredEvent } from './event.ts';
import { listenerSteps, type EventListeners } from './listeners.ts';
import { messageSteps } from './message-events.ts';
import { appendVisitorEvents } from './visitor-events.ts';

const isOfMessage = (event: StoredEvent): event is MessageEvent => event.subject === 'message';

/**
 * Stores events, and what their listeners make of them, in one transaction and one round trip for all organizations.
 * `message-events.ts` says what is stored of a message.
 */
export async function storeEvents(
  db: PipelinedDatabase,
  events: readonly StoredEvent[],
  listeners: EventListeners,
): Promise<void> {
  const groups = Map.groupBy(events, (event) => event.organizationId);
  // All processes use the same order, to prevent deadlocks.
  const organizationIds = [...groups.keys()].toSorted();
  const appends = appendVisitorEvents(events.filter((event) => event.subject === 'visitor'));
  await db.transactionOf(
    organizationIds.map((organizationId, index) => ({
      organizationId,
      steps: [
        ...(index === 0 ? appends : []),
        ...messageSteps(organizationId, groups.get(organizationId)!.filter(isOfMessage)),
        ...listenerSteps(listeners, organizationId, groups.get(organizationId)!),
      ],
    })),
  );
}

/** The same for events of messages of one organization, within its transaction. */
export async function storeEventsIn(
  trx: Transaction,
  organizationId: string,
  events: readonly MessageEvent[],
  listeners: EventListeners,
): Promise<void> {
  await runSteps(trx, eventSteps(organizationId, events, listeners));
}

/**
 * The same as steps of a pipelined transaction, for changes that commit together with events.
 * @param condition  applies to events of messages that happen once
 */
export function eventSteps(
  organizationId: string,
  events: readonly MessageEvent[],
  listeners: EventListeners,
  condition?: EventCondition,
): Step[] {
  return [
    ...messageSteps(organizationId, events, condition),
    ...listenerSteps(listeners, organizationId, events),
  ];
}
