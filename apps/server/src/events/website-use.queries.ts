import { sql } from 'kysely';
import type { Database, Transaction } from '../platform/database/database.ts';

export interface WebsiteAmount {
  events: number;
  bytes: number;
}

/** What a website took on a day, in days since 1970-01-01 (UTC). */
export interface WebsiteUse extends WebsiteAmount {
  day: number;
}

/** Adds to what websites took, in one statement for all organizations. @returns what they have now, with other processes */
export async function addUse(
  db: Database,
  added: readonly (WebsiteUse & { organization_id: string; touchpoint_id: string })[],
): Promise<(WebsiteUse & { touchpoint_id: string })[]> {
  const { rows } = await sql<WebsiteUse & { touchpoint_id: string }>`
    select touchpoint_id, day, events, bytes from add_website_use(${JSON.stringify(added)}::json)
  `.execute(db);
  return rows;
}

/** @returns what a website took today (UTC) */
export async function getUse(
  trx: Transaction,
  of: { organizationId: string; touchpointId: string },
): Promise<WebsiteAmount> {
  const { rows } = await sql<WebsiteAmount>`
    select events, bytes from website_use
    where organization_id = ${of.organizationId} and touchpoint_id = ${of.touchpointId} and day = utc_day(now())
  `.execute(trx);
  return rows[0] ?? { events: 0, bytes: 0 };
}
