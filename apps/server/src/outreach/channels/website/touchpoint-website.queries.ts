import { sql } from 'kysely';
import { notFound } from '../../../platform/http/api-error.ts';
import type { RowOf, Transaction } from '../../../platform/database/database.ts';
import { prepared } from '../../../platform/database/prepared.ts';

/** What is stored of a website. */
export type WebsiteSettings = RowOf<typeof getTouchpointWebsite>;

export async function insertTouchpointWebsite(
  trx: Transaction,
  row: { id: string; organization_id: string; touchpoint_id: string; token: string },
): Promise<void> {
  await trx.insertInto('touchpoint_websites').values(row).execute();
}

/** @throws 404 if the touchpoint or one of its parents is deleted, or it is no website */
export const getTouchpointWebsite = (trx: Transaction, touchpointId: string) =>
  trx
    .selectFrom('touchpoint_websites as w')
    .innerJoin('current_touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 'w.organization_id').onRef('t.id', '=', 'w.touchpoint_id'),
    )
    .where('w.touchpoint_id', '=', touchpointId)
    .select(['w.id', 'w.touchpoint_id', 'w.hosts', 'w.token', 'w.token_rotated_at', 'w.updated_at'])
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);

export async function updateTouchpointWebsite(
  trx: Transaction,
  touchpointId: string,
  changes: { hosts: string[] } | { token: string },
): Promise<void> {
  await trx
    .updateTable('touchpoint_websites')
    .set({ ...changes, updated_at: sql`now()`, ...('token' in changes && { token_rotated_at: sql`now()` }) })
    .where('touchpoint_id', '=', touchpointId)
    .execute();
}

const maxActiveHosts = 1_000;

/** Lists hosts of the active websites of an organization, as they are stored. */
export async function listActiveHosts(trx: Transaction, organizationId: string): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`
    select distinct host
    from touchpoint_websites w
    join current_touchpoints t
      on t.organization_id = w.organization_id and t.id = w.touchpoint_id and t.status = 'active'
    cross join unnest(w.hosts) host
    where w.organization_id = ${organizationId}
    limit ${maxActiveHosts}
  `.execute(trx);
  return rows.map(({ host }) => host);
}
