import { sql, type RawBuilder } from 'kysely';
import type { WebsiteEvent } from '@reachout/contract/websites.ts';
import type { Transaction } from '../platform/database/database.ts';

interface OfWebsite {
  organizationId: string;
  touchpointId: string;
}

/** Events that a list shows. */
const maxListed = 50;

// Both read the few rows that they need of each table, of those that are not folded yet and of those that are.

/** @returns the earliest event of a website, and the time of the latest */
export async function findEventSpan(
  trx: Transaction,
  of: OfWebsite,
): Promise<{ first: { at: string; url: string } | null; last_at: string | null }> {
  const find = async (order: RawBuilder<unknown>) => {
    const { rows } = await sql<{ at: string; url: string }>`
      select at, url from (
        (select at, url from unfolded_visitor_events where ${isOf(of)} order by at ${order} limit 1)
        union all
        (select at, url from visitor_events where ${isOf(of)} order by at ${order} limit 1)
      ) e
      order by at ${order} limit 1
    `.execute(trx);
    return rows[0];
  };
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
  const columns = sql`organization_id, touchpoint_id, id, at, type, name, path, title, referrer_host, country, language,
    width, is_bot, visitor_id, user_id, collection`;
  const newest = sql`order by at desc, id desc limit ${maxListed}`;
  const shown = (column: string) => (showsUsers ? sql.ref(column) : sql`null::text`);
  const { rows } = await sql<WebsiteEvent>`
    select id, at, type, name, path, title, referrer_host, country, language, width, is_bot,
      right(visitor_id::text, 6) as visitor, ${shown('user_id')} as user_id, ${shown('collection')} as collection
    from (
      (select ${columns} from new_visitor_events where ${isOf(of)} ${newest})
      union all
      (select ${columns} from visitor_events where ${isOf(of)} ${newest})
    ) e
    ${newest}
  `.execute(trx);
  return rows;
}

const isOf = ({ organizationId, touchpointId }: OfWebsite) =>
  sql`organization_id = ${organizationId} and touchpoint_id = ${touchpointId}`;
