import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { LogoColumn, LogoKind, LogoTarget } from './stored-path.ts';

export interface LogoRecord extends LogoTarget {
  name: string;
  logo_url: string | null;
}

/**
 * All records that can have a logo in the access scope of the transaction, brands twice; without deleted records and
 * those of deleted parents.
 */
const currentRecords = (trx: Transaction) =>
  trx
    .selectFrom('organizations')
    .select([sql<LogoKind>`'organizations'`.as('kind'), light, 'id', 'name', 'logo_url'])
    .where('deleted', '=', false)
    .unionAll(
      trx
        .selectFrom('clients')
        .select([sql<LogoKind>`'clients'`.as('kind'), light, 'id', 'name', 'logo_url'])
        .where('deleted', '=', false),
    )
    .unionAll(selectBrands(trx, 'logo_url'))
    .unionAll(selectBrands(trx, 'dark_logo_url'))
    .as('records');

const light = sql<LogoColumn>`'logo_url'`.as('column');

const selectBrands = (trx: Transaction, column: LogoColumn) =>
  trx
    .selectFrom('current_brands')
    .select([
      sql<LogoKind>`'brands'`.as('kind'),
      sql<LogoColumn>`${sql.lit(column)}`.as('column'),
      sql<string>`id`.as('id'),
      sql<string>`name`.as('name'),
      sql<string | null>`${sql.ref(column)}`.as('logo_url'),
    ]);

export const findRecord = (trx: Transaction, { kind, id, column }: LogoTarget) =>
  trx
    .selectFrom(currentRecords(trx))
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('column', '=', column)
    .executeTakeFirst();

/** Finds the record whose logo is this file. */
export const findRecordOf = (trx: Transaction, logoUrl: string): Promise<LogoRecord | undefined> =>
  trx.selectFrom(currentRecords(trx)).selectAll().where('logo_url', '=', logoUrl).executeTakeFirst();

export async function listLogoUrls(trx: Transaction, kind: LogoKind): Promise<string[]> {
  const rows = await trx
    .selectFrom(currentRecords(trx))
    .select('logo_url')
    .where('kind', '=', kind)
    .where('logo_url', 'is not', null)
    .execute();
  return rows.map(({ logo_url }) => logo_url ?? '');
}

/** Includes deleted records: they can be restored from the trash with their logos. */
export async function listAllLogoUrls(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ logo_url: string }>`
    select logo_url from organizations where logo_url is not null
    union all select logo_url from clients where logo_url is not null
    union all select logo_url from brands where logo_url is not null
    union all select dark_logo_url from brands where dark_logo_url is not null
  `.execute(trx);
  return rows.map(({ logo_url }) => logo_url);
}

/**
 * Locks the record until the transaction ends, so that of two concurrent uploads the later one removes the earlier
 * file.
 */
export async function lockLogo(trx: Transaction, { kind, id, column }: LogoTarget): Promise<string | null> {
  const { rows } = await sql<{ logo_url: string | null }>`
    select ${sql.ref(column)} as logo_url from ${sql.table(kind)} where id = ${id} for no key update
  `.execute(trx);
  return rows[0]?.logo_url ?? null;
}

/** The avatar of a user who shares an organization with the acting user. */
export async function findColleaguesAvatar(trx: Transaction, personId: string): Promise<string | null> {
  const { rows } = await sql<{ url: string | null }>`select avatar_of(${personId}) as url`.execute(trx);
  return rows[0]?.url ?? null;
}

/** For recipients of emails, who are not signed in. */
export async function findBrandLogos(
  db: Database,
  brandId: string,
): Promise<Record<LogoColumn, string | null> | undefined> {
  const { rows } = await sql<Record<LogoColumn, string | null>>`
    select * from brand_logos(${brandId}::uuid)
  `.execute(db);
  return rows[0];
}
