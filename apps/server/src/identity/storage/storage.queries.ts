import { sql } from 'kysely';
import { recordImages, type LogoKind } from '@reachout/contract/rules/storage.ts';
import { firstRowOf, valuesOf, type Database, type Transaction } from '../../platform/database/database.ts';

/** A record that can have a logo, once for each kind of it. */
export interface LogoRecord {
  kind: LogoKind;
  id: string;
  name: string;
  url: string | null;
}

/** Records in the access scope of the transaction, without deleted ones and those of deleted parents. */
const currentRecords = sql<LogoRecord>`(
  select 'organizationLogo' as kind, id, name, logo_url as url from organizations where not deleted
  union all select 'clientLogo', id, name, logo_url from clients where not deleted
  union all select 'brandLogo', id, name, logo_url from current_brands
  union all select 'darkLogo', id, name, dark_logo_url from current_brands
)`.as('records');

const selectRecords = (trx: Transaction) => trx.selectFrom(currentRecords).selectAll();

export const findRecord = (trx: Transaction, kind: LogoKind, id: string): Promise<LogoRecord | undefined> =>
  selectRecords(trx).where('kind', '=', kind).where('id', '=', id).executeTakeFirst();

/** Finds the record whose logo is this file. */
export const findRecordOf = (trx: Transaction, url: string): Promise<LogoRecord | undefined> =>
  selectRecords(trx).where('url', '=', url).executeTakeFirst();

export async function listLogoUrls(trx: Transaction, kind: LogoKind): Promise<(string | null)[]> {
  const rows = await selectRecords(trx).where('kind', '=', kind).execute();
  return rows.map(({ url }) => url);
}

/** Includes deleted records: they can be restored from the trash with their logos. */
export const listAllLogoUrls = (trx: Transaction) => valuesOf<string>(trx)`
  select logo_url from organizations where logo_url is not null
  union all select logo_url from clients where logo_url is not null
  union all select logo_url from brands where logo_url is not null
  union all select dark_logo_url from brands where dark_logo_url is not null
`;

/**
 * Locks the record until the transaction ends, so that of two concurrent uploads the later one removes the earlier
 * file.
 */
export async function lockLogo(trx: Transaction, kind: LogoKind, id: string): Promise<string | null> {
  const { table, column } = recordImages[kind];
  const { rows } = await sql<{ url: string | null }>`
    select ${sql.ref(column)} as url from ${sql.table(table)} where id = ${id} for no key update
  `.execute(trx);
  return rows[0]?.url ?? null;
}

/** The avatar of a user who shares an organization with the acting user. */
export async function findColleaguesAvatar(trx: Transaction, personId: string): Promise<string | null> {
  const { rows } = await sql<{ url: string | null }>`select avatar_of(${personId}) as url`.execute(trx);
  return rows[0]?.url ?? null;
}

/** For recipients of emails, who are not signed in. */
export const findBrandLogos = (db: Database, brandId: string) => firstRowOf<{
  logo_url: string | null;
  dark_logo_url: string | null;
}>(db)`
  select * from brand_logos(${brandId}::uuid)
`;
