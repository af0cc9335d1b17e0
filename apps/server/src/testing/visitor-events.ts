import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { appendVisitorEvents } from '../events/visitor-events.queries.ts';
import type { VisitorEvent } from '../events/event.ts';
import { runSteps } from '../platform/database/pipelined.ts';
import type { Database } from '../platform/database/database.ts';
import type { TestWebsite } from './tracked-website.ts';

/** @returns a page view of a new visitor, now */
export const buildVisit = (
  { organizationId, touchpointId }: Pick<TestWebsite, 'organizationId' | 'touchpointId'>,
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
      return await foldVisitsOnce(trx, maxRows, organizationId);
    });
    folded += taken;
    if (taken < maxRows) return folded;
  }
}

/** As a fold of the tracking role; takes nothing while another one is running. */
export async function foldVisitsOnce(
  db: Database,
  maxRows = 20_000,
  organizationId: string | null = null,
): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select fold_visitor_events(${maxRows}, ${organizationId}) as taken
  `.execute(db);
  return rows[0]?.taken ?? 0;
}
