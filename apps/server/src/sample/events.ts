import { sql } from 'kysely';
import type { StoredEvent, VisitorEvent } from '../events/event.ts';
import type { Subject } from '../events/event-backlog.ts';
import { noListeners, type EventListeners } from '../events/listeners.ts';
import { storeEventsIn } from '../events/store-events.ts';
import { bytesOf } from '../events/website-use.ts';
import { addUse } from '../events/website-use.queries.ts';
import type { Database, Transaction } from '../platform/database/database.ts';

/**
 * Stores events of one organization and what listeners make of them, and folds them. No other process folds until the
 * transaction ends.
 */
export async function buildEvents(
  trx: Transaction,
  organizationId: string,
  events: readonly StoredEvent[],
  listeners: EventListeners = noListeners,
): Promise<void> {
  await storeEventsIn(trx, organizationId, events, listeners);
  for (const [subject, own] of Map.groupBy(events, (event) => event.subject))
    await foldEvents(trx, subject, own.length, organizationId);
}

const dayMs = 86_400_000;

/** Counts visits of a website in what it took today. */
export async function countUse(
  trx: Transaction,
  {
    organizationId: organization_id,
    touchpointId: touchpoint_id,
  }: Pick<VisitorEvent, 'organizationId' | 'touchpointId'>,
  events: readonly VisitorEvent[],
  now: Date,
): Promise<void> {
  const day = Math.floor(now.getTime() / dayMs);
  const today = events.filter(({ at }) => Math.floor(at.getTime() / dayMs) === day);
  const bytes = today.reduce((sum, event) => sum + bytesOf(event), 0);
  await addUse(trx, [{ organization_id, touchpoint_id, day, events: today.length, bytes }]);
}

/**
 * Folds the oldest events of a subject, of all organizations or of one.
 * @returns how many; 0 while another process is folding
 */
export async function foldEvents(
  db: Database,
  subject: Subject,
  maxRows: number,
  organizationId: string | null = null,
): Promise<number> {
  const fold = sql.ref(`fold_${subject}_events`);
  const { rows } = await sql<{ folded: number }>`
    select ${fold}(${maxRows}, ${organizationId}) as folded
  `.execute(db);
  return rows[0]?.folded ?? 0;
}
