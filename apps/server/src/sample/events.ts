import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { StoredEvent, VisitorEvent } from '../events/event.ts';
import type { Subject } from '../events/event-backlog.ts';
import type { EventEffect } from '../events/effects.ts';
import { storeEventsIn } from '../events/store-events.ts';
import { appendVisitorEvents } from '../events/visitor-events.queries.ts';
import { bytesOf } from '../events/website-use.ts';
import { addUse } from '../events/website-use.queries.ts';
import type { Database, Transaction } from '../platform/database/database.ts';
import { runSteps } from '../platform/database/pipelined.ts';

type Website = Pick<VisitorEvent, 'organizationId' | 'touchpointId'>;

/**
 * Stores events of one organization and their effects, and folds them. No other process folds until the
 * transaction ends.
 */
export async function buildEvents(
  trx: Transaction,
  organizationId: string,
  events: readonly StoredEvent[],
  effects: readonly EventEffect[] = [],
): Promise<void> {
  await storeEventsIn(trx, organizationId, events, effects);
  for (const [subject, own] of Map.groupBy(events, (event) => event.subject))
    await foldEvents(trx, subject, own.length, organizationId);
}

/** Looks again at all clicks that are old enough, as workers do. No other process folds until the transaction ends. */
export async function reviewEvents(trx: Transaction): Promise<void> {
  const review = sql<{ reviewed: number }>`select review_clicks(1000, 0) as reviewed`;
  while ((await review.execute(trx)).rows[0]!.reviewed > 0);
}

const dayMs = 86_400_000;

/** Counts visits of a website in what it took today. */
export async function countUse(
  trx: Transaction,
  { organizationId: organization_id, touchpointId: touchpoint_id }: Website,
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

/** @returns a page view of a new visitor, now */
export const buildVisit = (
  { organizationId, touchpointId }: Website,
  given: Partial<VisitorEvent> = {},
): VisitorEvent => ({
  subject: 'visitor',
  organizationId,
  touchpointId,
  id: randomUUID(),
  at: new Date(),
  clientAt: null,
  type: 'VIEW_PAGE',
  visitorId: randomUUID(),
  name: null,
  url: `https://shop.example${given.path ?? '/'}`,
  path: '/',
  title: null,
  referrer: null,
  referrerHost: null,
  language: null,
  country: null,
  width: null,
  height: null,
  userId: null,
  collection: null,
  isBot: false,
  message: null,
  conversion: null,
  ...given,
});

/** Stores events as the tracking role does, without folding them. */
export async function storeVisits(db: Database, events: readonly VisitorEvent[]): Promise<void> {
  await db.transaction().execute((trx) => runSteps(trx, [appendVisitorEvents(events)]));
}

/** Folds all events, or those of an organization, after a fold that is running. @returns how many were taken */
export async function foldVisits(
  db: Database,
  { maxRows = 20_000, organizationId }: { maxRows?: number; organizationId?: string } = {},
): Promise<number> {
  let folded = 0;
  for (;;) {
    const taken = await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('reachout visitors'))`.execute(trx);
      return await foldEvents(trx, 'visitor', maxRows, organizationId);
    });
    folded += taken;
    if (taken < maxRows) return folded;
  }
}
