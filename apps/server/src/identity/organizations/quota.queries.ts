import { sql } from 'kysely';
import type { QuotaKind } from '@reachout/contract/organizations.ts';
import { execute, type Transaction } from '../../platform/database/database.ts';

/** Column of `organizations` with the limit set by the operator. */
const columnOf = {
  contacts: 'contact_limit',
  templates: 'template_limit',
  content_megabytes: 'content_megabyte_limit',
  file_megabytes: 'file_megabyte_limit',
  imports: 'daily_import_limit',
  images: 'image_limit',
  website_events: 'website_event_limit',
  website_megabytes: 'website_megabyte_limit',
} as const satisfies Record<QuotaKind, string>;

/**
 * Current usage by the organization `o`; for content, including items outside the access scope of the user who adds to
 * it. Items that fixtures and benchmarks insert by SQL are not counted: `items_count` is maintained by the server's
 * statements that add items.
 */
const usedOf = {
  contacts: sql<number>`count_content('contacts')`,
  templates: sql<number>`count_content('templates')`,
  content_megabytes: sql<number>`count_content('content_megabytes')`,
  file_megabytes: sql<number>`count_content('file_megabytes')`,
  imports: sql<number>`count_content('imports')`,
  images: sql<number>`((o.logo_url is not null)::int
    + (select count(logo_url) from clients where organization_id = o.id)
    + (select count(logo_url) + count(dark_logo_url) from brands where organization_id = o.id))`,
  website_events: sql<number>`count_content('website_events')`,
  website_megabytes: sql<number>`count_content('website_megabytes')`,
} as const satisfies Record<QuotaKind, unknown>;

/** @returns the limit set by the operator, null for none, and the current usage */
export const getQuotaUse = (
  trx: Transaction,
  organizationId: string,
  kind: QuotaKind,
): Promise<{ own_limit: number | null; used: number }> =>
  trx
    .selectFrom('organizations as o')
    .select([`o.${columnOf[kind]} as own_limit`, usedOf[kind].as('used')])
    .where('o.id', '=', organizationId)
    .executeTakeFirstOrThrow();

/** Locks the quota until the transaction ends, so that concurrent additions are counted. */
export const lockQuota = (trx: Transaction, organizationId: string, kind: QuotaKind) =>
  execute(trx)`select pg_advisory_xact_lock(hashtextextended(${`${kind} of ${organizationId}`}, 0))`;

/** @returns the name; undefined if there is no such organization */
export async function updateQuota(
  trx: Transaction,
  id: string,
  kind: QuotaKind,
  limit: number | null,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('organizations')
    .set({ [columnOf[kind]]: limit, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', false)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}
