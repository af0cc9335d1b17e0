import { findEndpoint } from '../../contacts/audiences/find-audience.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { openContacts } from '../../content/gateway/contact-collection.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { createPoller, type Poller } from '../../platform/poller.ts';
import {
  addReachedDates,
  addReactions,
  listDueDates,
  takeContactChanges,
  type DueDate,
  type PersonCause,
} from '../../queue/add-reactions.queries.ts';
import { noteLookUp } from './event-graph.queries.ts';

export { addPastReactions } from '../../queue/add-reactions.queries.ts';

/** Changes of contacts that a transaction takes. */
const batchSize = 2_000;
/** Contacts of a Directus that reach a date on a day; more are left out. */
const maxContacts = 100_000;
/** Days are looked at so often. */
const everyMs = 60_000;
const heldUpMs = 300_000;

export interface BeginningDeps {
  db: Database;
  content: DirectusDeps;
  log: Log;
}

/** @returns what makes reactions of what begins with a person: contacts that were added or changed, and dates that are reached */
export function createBeginnings({ db, content, log }: BeginningDeps): () => Promise<void> {
  const tried = new Map<string, number>();
  let lookedAt = -Infinity;

  async function lookUpDates(): Promise<void> {
    if (performance.now() - lookedAt < everyMs) return;
    lookedAt = performance.now();
    for (const [id, at] of tried) if (performance.now() - at >= heldUpMs) tried.delete(id);
    for (const due of await listDueDates(db, [...tried.keys()])) {
      const { touchpoint_event_id: id, day } = due;
      if (tried.has(id)) continue;
      try {
        await lookUpDate({ db, content }, due);
      } catch (error) {
        tried.set(id, performance.now());
        log.warn({ err: error, event: id, day }, 'dates of contacts not looked up');
      }
    }
  }
  return async () => {
    try {
      while ((await takeContactChanges(db, batchSize)) >= batchSize);
      await lookUpDates();
    } catch (error) {
      log.warn({ err: error }, 'contacts that were added or changed not looked at');
    }
  };
}

async function lookUpDate({ db, content }: Omit<BeginningDeps, 'log'>, due: DueDate): Promise<void> {
  const { organization_id: organizationId } = due;
  const run = <T>(work: (trx: Transaction) => Promise<T>) => inOrganization(db, organizationId, work);
  const endpoint = await run((trx) => findEndpoint(trx, organizationId));
  if (endpoint === null)
    return await run(async (trx) => {
      await addReachedDates(trx, due);
      await noteLookUp(trx, due);
    });
  const backend = await openContacts(content, organizationId, endpoint, run, { isAwaited: false });
  const query = { filter: filterOf(due), fields: ['id'], limit: maxContacts, offset: 0 };
  for await (const items of backend.readItems(due.collection, query))
    await run((trx) =>
      addReactions(
        trx,
        items.map(({ id }) => causeOf(due, `${id as string | number}`)),
      ),
    );
  await run((trx) => noteLookUp(trx, due));
}

const causeOf = (
  { organization_id, touchpoint_event_id, collection, field, day }: DueDate,
  contactId: string,
): PersonCause => ({
  organization_id,
  type: 'REACH_DATE',
  source: collection,
  touchpoint_event_id,
  key: day,
  at: new Date().toISOString(),
  collection,
  contact_id: contactId,
  detail: field,
});

/** The dates that are reached on the day, as a filter of a Directus. */
function filterOf({ field, days, is_yearly, day }: DueDate): Record<string, unknown> {
  const date = Temporal.PlainDate.from(day).subtract({ days });
  const on = (month: number, dayOfMonth: number) => ({
    _and: [{ [`month(${field})`]: { _eq: month } }, { [`day(${field})`]: { _eq: dayOfMonth } }],
  });
  if (!is_yearly) return { [field]: { _gte: date.toString(), _lt: date.add({ days: 1 }).toString() } };
  const isShortFebruary = date.month === 2 && date.day === 28 && !date.inLeapYear;
  return isShortFebruary ? { _or: [on(2, 28), on(2, 29)] } : on(date.month, date.day);
}

/** Looks for what begins with a person, in each worker, beside the release: a Directus may take long. */
export function startBeginnings(deps: BeginningDeps): Poller {
  return createPoller({ name: 'beginnings', everyMs: 1_000, log: deps.log, work: createBeginnings(deps) });
}
