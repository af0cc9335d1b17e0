import { sql } from 'kysely';
import type { RejectionKind } from '@reachout/contract/content-imports.ts';
import type { ImportError } from '@reachout/contract/rules/import-errors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ImportKey } from './imports.queries.ts';

/** Why a row was rejected, or which of its values were left out. */
export interface Rejection {
  kind: RejectionKind;
  line: number;
  field: string | null;
  error: ImportError;
  /** Null for a rejected row; otherwise all values that were left out, of which `field` and `error` are the first. */
  left_out: { field: string; error: ImportError }[] | null;
}

export interface StoredRejection extends Rejection {
  /** Byte offset of the end of the row: its key, because objects of a JSON file may share a line. */
  end_byte: number;
  cells: string[];
}

/** Selects the first rows of a kind of each import, in file order. */
export async function selectFirstRejections(
  trx: Transaction,
  organizationId: string,
  importIds: readonly string[],
  { kind, limit }: { kind: RejectionKind; limit: number },
): Promise<(Rejection & { import_id: string })[]> {
  const { rows } = await sql<Rejection & { import_id: string }>`
    select r.import_id, r.kind, r.line, r.field, r.error, r.left_out
    from unnest(${importIds}::uuid[]) wanted(id)
    cross join lateral (
      select import_id, kind, line, field, error, left_out, end_byte
      from content_import_rejections
      where organization_id = ${organizationId} and import_id = wanted.id and kind = ${kind}
      order by end_byte
      limit ${limit}
    ) r
    order by r.import_id, r.end_byte
  `.execute(trx);
  return rows;
}

/** Selects a page of rows of a kind with their cells, starting after a row. */
export async function selectRejectedRows(
  trx: Transaction,
  organizationId: string,
  importId: string,
  { kind, afterByte, limit }: { kind: RejectionKind; afterByte: number; limit: number },
): Promise<StoredRejection[]> {
  const { rows } = await sql<StoredRejection>`
    select kind, line, end_byte, field, error, left_out, record as cells
    from content_import_rejections
    where organization_id = ${organizationId} and import_id = ${importId} and end_byte > ${afterByte}
      and kind = ${kind}
    order by end_byte
    limit ${limit}
  `.execute(trx);
  return rows;
}

export async function insertRejections(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  rejections: readonly StoredRejection[],
): Promise<void> {
  if (rejections.length === 0) return;
  await sql`
    insert into content_import_rejections (organization_id, import_id, kind, line, end_byte, field, error, left_out, record)
    select ${organizationId}::uuid, ${importId}::uuid, kind, line, end_byte, field, error, left_out, cells
    from json_to_recordset(${JSON.stringify(rejections)})
      r(kind text, line bigint, end_byte bigint, field text, error jsonb, left_out jsonb, cells jsonb)
  `.execute(trx);
}
