import { sql } from 'kysely';
import type { DropReason } from '@reachout/contract/states/website.ts';
import type { Database, Transaction } from '../platform/database/database.ts';

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
export async function addDrops(db: Database, drops: readonly WebsiteDrops[]): Promise<void> {
  await sql`select add_website_drops(${JSON.stringify(drops)}::json)`.execute(db);
}

/** Lists what was dropped of the events of a website today and on the days before (UTC), the most frequent reason first. */
export async function listDrops(
  trx: Transaction,
  of: { organizationId: string; touchpointId: string },
  days: number,
): Promise<{ reason: DropReason; count: number; last_at: string }[]> {
  const { rows } = await sql<{ reason: DropReason; count: number; last_at: string }>`
    select reason, sum(count)::bigint as count, max(last_at) as last_at
    from website_drops
    where organization_id = ${of.organizationId} and touchpoint_id = ${of.touchpointId}
      and day > (now() at time zone 'UTC')::date - ${days}::integer
    group by reason
    order by 2 desc, 1
  `.execute(trx);
  return rows;
}
