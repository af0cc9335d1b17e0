import type { Transaction } from '../platform/database/database.ts';
import {
  runSteps,
  type OrganizationSteps,
  type PipelinedDatabase,
  type Step,
} from '../platform/database/pipelined.ts';
import { happensOnce, type EventCondition, type MessageEvent, type StoredEvent } from './event.ts';
import type { Subject } from './event-backlog.ts';
import type { EventEffect } from './effects.ts';
import { appendMessageEvents, storeOnce } from './message-events.queries.ts';
import { appendVisitorEvents } from './visitor-events.queries.ts';

/**
 * Stores events, and their effects, in one transaction and one round trip for all organizations. Opens,
 * clicks and events of visitors are only appended, by one statement for each subject; `event-folder.ts` counts them later.
 */
export async function storeEvents(
  db: PipelinedDatabase,
  events: readonly StoredEvent[],
  effects: readonly EventEffect[] = [],
): Promise<void> {
  const appends = append(events);
  const work = stepsByOrganization(events, effects);
  if (events.length === 0) return;
  const [only] = appends;
  // Most batches: a statement alone costs PostgreSQL half of a transaction with settings.
  if (work.length === 0 && appends.length === 1) await db.statement(only!);
  else {
    const [first = { organizationId: events[0]!.organizationId, steps: [] }, ...others] = work;
    await db.transactionOf([{ ...first, steps: [...appends, ...first.steps] }, ...others]);
  }
}

export { listLately, listWithEvent } from './message-events.queries.ts';

/** All processes use the same order of organizations, to prevent deadlocks. */
const stepsByOrganization = (
  events: readonly StoredEvent[],
  effects: readonly EventEffect[],
): OrganizationSteps[] =>
  [...Map.groupBy(events, (event) => event.organizationId)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([organizationId, own]) => ({
      organizationId,
      steps: [...once(organizationId, own), ...effectsOf(effects, own)],
    }))
    .filter(({ steps }) => steps.length > 0);

/** The same for events of one organization, within its transaction. */
export async function storeEventsIn(
  trx: Transaction,
  organizationId: string,
  events: readonly StoredEvent[],
  effects: readonly EventEffect[] = [],
): Promise<void> {
  await runSteps(trx, [...eventSteps(organizationId, events), ...effectsOf(effects, events)]);
}

/**
 * The same as steps of a pipelined transaction, for changes that commit together with events.
 * @param condition  applies to events of messages that happen once
 */
export const eventSteps = (
  organizationId: string,
  events: readonly StoredEvent[],
  condition?: EventCondition,
): Step[] => [...append(events), ...once(organizationId, events, condition)];

const effectsOf = (effects: readonly EventEffect[], events: readonly StoredEvent[]): Step[] =>
  effects.flatMap((effect) => effect(events));

const append = (events: readonly StoredEvent[]): Step[] =>
  Object.values(appends).flatMap((appendOwn) => appendOwn(events));

/** Make one step of the events of a subject, without those that happen once; none for no events. */
const appends = {
  message: (events) =>
    stepFor(
      appendMessageEvents,
      events.filter((event) => event.subject === 'message').filter((event) => !happensOnce(event)),
    ),
  visitor: (events) =>
    stepFor(
      appendVisitorEvents,
      events.filter((event) => event.subject === 'visitor'),
    ),
} satisfies Record<Subject, (events: readonly StoredEvent[]) => Step[]>;

const stepFor = <E>(toStep: (events: readonly E[]) => Step, events: readonly E[]): Step[] =>
  events.length === 0 ? [] : [toStep(events)];

const isOnce = (event: StoredEvent): event is MessageEvent =>
  event.subject === 'message' && happensOnce(event);

function once(organizationId: string, events: readonly StoredEvent[], condition?: EventCondition): Step[] {
  const own = events.filter(isOnce);
  return own.length === 0 ? [] : [storeOnce(organizationId, own, condition)];
}
