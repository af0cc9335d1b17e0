import type { DropReason } from '@reachout/contract/states/website.ts';
import type { WebsiteEvent } from '@reachout/contract/websites.ts';
import { sql, type RawBuilder } from 'kysely';
import {
  rowsOf,
  type Database,
  type Transaction,
  execute,
  firstRowOf,
} from '../platform/database/database.ts';

export interface WebsiteAmount {
  events: number;
  bytes: number;
}

/** What a website took on a day, in days since 1970-01-01 (UTC). */
export interface WebsiteUse extends WebsiteAmount {
  day: number;
}

/** Adds to what websites took, in one statement for all organizations. @returns what they have now, with other processes */
export const addUse = (
  db: Database,
  added: readonly (WebsiteUse & { organization_id: string; touchpoint_id: string })[],
) => rowsOf<WebsiteUse & { touchpoint_id: string }>(db)`
  select touchpoint_id, day, events, bytes from add_website_use(${JSON.stringify(added)}::json)
`;

/** @returns what a website took today (UTC) */
export async function getUse(
  trx: Transaction,
  of: { organizationId: string; touchpointId: string },
): Promise<WebsiteAmount> {
  const rows = await rowsOf<WebsiteAmount>(trx)`
    select events, bytes from website_use
    where organization_id = ${of.organizationId} and touchpoint_id = ${of.touchpointId} and day = utc_day(now())
  `;
  return rows[0] ?? { events: 0, bytes: 0 };
}

/** Events of a website that were dropped on one day (UTC) for one reason. */
export interface WebsiteDrops {
  organization_id: string;
  touchpoint_id: string;
  reason: DropReason;
  count: number;
  /** When the last of them was dropped. */
  last_at: Date;
}

/** Adds to the counts, in one statement for all organizations; each row has a different website, day and reason. */
export const addDrops = (db: Database, drops: readonly WebsiteDrops[]) =>
  execute(db)`select add_website_drops(${JSON.stringify(drops)}::json)`;

/** Lists what was dropped of the events of a website today and on the days before (UTC), the most frequent reason first. */
export const listDrops = (
  trx: Transaction,
  of: { organizationId: string; touchpointId: string },
  days: number,
) => rowsOf<{ reason: DropReason; count: number; last_at: string }>(trx)`
  select reason, sum(count)::bigint as count, max(last_at) as last_at
  from website_drops
  where organization_id = ${of.organizationId} and touchpoint_id = ${of.touchpointId}
    and day > (now() at time zone 'UTC')::date - ${days}::integer
  group by reason
  order by 2 desc, 1
`;

interface OfWebsite {
  organizationId: string;
  touchpointId: string;
}

/** Events that a list shows. */
const maxListed = 50;

/** @returns the earliest event of a website, and the time of the latest */
export async function findEventSpan(
  trx: Transaction,
  of: OfWebsite,
): Promise<{ first: { at: string; url: string } | null; last_at: string | null }> {
  const find = (order: RawBuilder<unknown>) => firstRowOf<{ at: string; url: string }>(trx)`
      select at, url from visitor_events where ${isOf(of)} order by at ${order} limit 1
    `;
  return { first: (await find(sql`asc`)) ?? null, last_at: (await find(sql`desc`))?.at ?? null };
}

/**
 * Lists the newest events of a website.
 * @param showsUsers  whether the caller may read contacts
 */
export async function listNewestEvents(
  trx: Transaction,
  of: OfWebsite,
  { showsUsers }: { showsUsers: boolean },
): Promise<WebsiteEvent[]> {
  const shown = (column: string) => (showsUsers ? sql.ref(column) : sql`null::text`);
  return await rowsOf<WebsiteEvent>(trx)`
    select id, at, type, name, path, title, referrer_host, country, language, width, is_bot,
      right(visitor_id::text, 6) as visitor, ${shown('user_id')} as user_id, ${shown('collection')} as collection
    from visitor_events
    where ${isOf(of)}
    order by at desc, id desc
    limit ${maxListed}
  `;
}

const isOf = ({ organizationId, touchpointId }: OfWebsite) =>
  sql`organization_id = ${organizationId} and touchpoint_id = ${touchpointId}`;
