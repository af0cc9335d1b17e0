import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { LogoKind } from './stored-path.ts';

export interface LogoRecord {
  kind: LogoKind;
  id: string;
  name: string;
  logo_url: string | null;
}

/**
 * All records with a logo in the access scope of the transaction, without those that are deleted or belong to deleted
 * ones.
 */
const currentRecords = (trx: Transaction) =>
  trx
    .selectFrom('organizations')
    .select([sql<LogoKind>`'organizations'`.as('kind'), 'id', 'name', 'logo_url'])
    .where('deleted', '=', false)
    .unionAll(
      trx
        .selectFrom('clients')
        .select([sql<LogoKind>`'clients'`.as('kind'), 'id', 'name', 'logo_url'])
        .where('deleted', '=', false),
    )
    .unionAll(
      trx
        .selectFrom('current_brands')
        .select([
          sql<LogoKind>`'brands'`.as('kind'),
          sql<string>`id`.as('id'),
          sql<string>`name`.as('name'),
          'logo_url',
        ]),
    )
    .as('records');

export const findRecord = (trx: Transaction, kind: LogoKind, id: string): Promise<LogoRecord | undefined> =>
  trx
    .selectFrom(currentRecords(trx))
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();

/** The record that shows this file. */
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

/** Of deleted records too: what is in the trash can come back, and its logo with it. */
export async function listAllLogoUrls(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ logo_url: string }>`
    select logo_url from organizations where logo_url is not null
    union all select logo_url from clients where logo_url is not null
    union all select logo_url from brands where logo_url is not null
  `.execute(trx);
  return rows.map(({ logo_url }) => logo_url);
}

/** Holds the record until the transaction ends, so that of two uploads at once the later one removes the earlier file. */
export async function lockLogo(trx: Transaction, kind: LogoKind, id: string): Promise<string | null> {
  const { rows } = await sql<{ logo_url: string | null }>`
    select logo_url from ${sql.table(kind)} where id = ${id} for no key update
  `.execute(trx);
  return rows[0]?.logo_url ?? null;
}

/** The avatar of somebody with whom the acting user shares an organization. */
export async function findColleaguesAvatar(trx: Transaction, personId: string): Promise<string | null> {
  const { rows } = await sql<{ url: string | null }>`select avatar_of(${personId}) as url`.execute(trx);
  return rows[0]?.url ?? null;
}
