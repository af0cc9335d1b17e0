import { sql } from 'kysely';
import type { QuotaKind } from '@reachout/contract/organizations.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** The column of `organizations` with the limit of the operator. */
const columnOf = {
  contacts: 'contact_limit',
  templates: 'template_limit',
  imports: 'daily_import_limit',
  images: 'image_limit',
} as const satisfies Record<QuotaKind, string>;

/**
 * How much there is, of the organization `o`; of content also what is beyond the access scope of who adds to it. Items that fixtures and benchmarks insert by SQL are not counted: the
 * statements of the server that add items keep `items_count`.
 */
const usedOf = {
  contacts: sql<number>`count_content('contacts')`,
  templates: sql<number>`count_content('templates')`,
  imports: sql<number>`count_content('imports')`,
  images: sql<number>`((o.logo_url is not null)::int
    + (select count(logo_url) from clients where organization_id = o.id)
    + (select count(logo_url) + count(dark_logo_url) from brands where organization_id = o.id))`,
} as const satisfies Record<QuotaKind, unknown>;

/** @returns the limit that the operator has set, null for none, and how much counts towards it now */
export async function getQuotaUse(
  trx: Transaction,
  organizationId: string,
  kind: QuotaKind,
): Promise<{ own_limit: number | null; used: number }> {
  return await trx
    .selectFrom('organizations as o')
    .select([`o.${columnOf[kind]} as own_limit`, usedOf[kind].as('used')])
    .where('o.id', '=', organizationId)
    .executeTakeFirstOrThrow();
}

/** Until the transaction ends, so that what is added at the same moment is counted. */
export async function lockQuota(trx: Transaction, organizationId: string, kind: QuotaKind): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} of ${organizationId}`}, 0))`.execute(
    trx,
  );
}

/** @returns the name; undefined when there is no such organization */
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
