import { sql } from 'kysely';
import type { ImportError } from '@reachout/contract/rules/import-errors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ImportKey } from './imports.queries.ts';

export interface Rejection {
  line: number;
  field: string | null;
  error: ImportError;
}

/** Selects the first rejections of each import, in file order. */
export async function selectFirstRejections(
  trx: Transaction,
  organizationId: string,
  importIds: readonly string[],
  limit: number,
): Promise<(Rejection & { import_id: string })[]> {
  const { rows } = await sql<Rejection & { import_id: string }>`
    select r.import_id, r.line, r.field, r.error
    from unnest(${importIds}::uuid[]) wanted(id)
    cross join lateral (
      select import_id, line, field, error
      from content_import_rejections
      where organization_id = ${organizationId} and import_id = wanted.id
      order by line
      limit ${limit}
    ) r
    order by r.import_id, r.line
  `.execute(trx);
  return rows;
}

/** Selects a page of rejected rows with their cells, starting after a line. */
export async function selectRejectedRows(
  trx: Transaction,
  organizationId: string,
  importId: string,
  { afterLine, limit }: { afterLine: number; limit: number },
): Promise<(Rejection & { cells: string[] })[]> {
  const { rows } = await sql<Rejection & { cells: string[] }>`
    select line, field, error, record as cells
    from content_import_rejections
    where organization_id = ${organizationId} and import_id = ${importId} and line > ${afterLine}
    order by line
    limit ${limit}
  `.execute(trx);
  return rows;
}

export async function insertRejections(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  rejections: readonly (Rejection & { cells: string[] })[],
): Promise<void> {
  if (rejections.length === 0) return;
  await sql`
    insert into content_import_rejections (organization_id, import_id, line, field, error, record)
    select ${organizationId}::uuid, ${importId}::uuid, line, field, error, cells
    from json_to_recordset(${JSON.stringify(rejections)}) r(line bigint, field text, error jsonb, cells jsonb)
  `.execute(trx);
}
