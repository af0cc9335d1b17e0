import { sql } from 'kysely';
import type { RejectionKind } from '@reachout/contract/content-imports.ts';
import type { ImportError } from '@reachout/contract/rules/import-errors.ts';
import { rowsOf, type Transaction } from '../../platform/database/database.ts';
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
export const selectFirstRejections = (
  trx: Transaction,
  organizationId: string,
  importIds: readonly string[],
  { kind, limit }: { kind: RejectionKind; limit: number },
) => rowsOf<Rejection & { import_id: string }>(trx)`
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
`;

/** Rows of an import that were rejected, or values that were left out, with the same field and the same kind of error. */
export interface RejectionGroup {
  kind: RejectionKind;
  field: string | null;
  error: ImportError;
  count: number;
  /** The first rows, with their cells. */
  rows: { line: number; error: ImportError; cells: string[] }[];
}

/** Groups all rejections of an import, the most frequent ones first. */
export const groupRejections = (
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  { groups, examples }: { groups: number; examples: number },
) => rowsOf<RejectionGroup>(trx)`
  with found as (
    select kind, end_byte, field, error ->> 'code' as code
    from content_import_rejections
    where organization_id = ${organizationId} and import_id = ${importId} and kind = 'rejected'
    union all
    select r.kind, r.end_byte, value ->> 'field', value -> 'error' ->> 'code'
    from content_import_rejections r
    cross join jsonb_array_elements(r.left_out) value
    where r.organization_id = ${organizationId} and r.import_id = ${importId} and r.kind = 'left_out'
  ), grouped as (
    select kind, field, code, count(*) as count, (array_agg(end_byte order by end_byte))[1:${sql.lit(examples)}] as first_bytes
    from found
    group by kind, field, code
    order by count desc, kind, field, code
    limit ${groups}
  )
  select g.kind, g.field, g.count, jsonb_agg(jsonb_build_object('line', r.line, 'cells', r.record, 'error', coalesce(
      (select value -> 'error' from jsonb_array_elements(r.left_out) value where value ->> 'field' = g.field limit 1),
      r.error)) order by r.end_byte) as rows
  from grouped g
  join content_import_rejections r on r.organization_id = ${organizationId} and r.import_id = ${importId}
    and r.kind = g.kind and r.end_byte = any(g.first_bytes)
  group by g.kind, g.field, g.code, g.count
  order by g.count desc, g.kind, g.field, g.code
`;

/** Selects a page of rows of a kind with their cells, starting after a row. */
export const selectRejectedRows = (
  trx: Transaction,
  organizationId: string,
  importId: string,
  { kind, afterByte, limit }: { kind: RejectionKind; afterByte: number; limit: number },
) => rowsOf<StoredRejection>(trx)`
  select kind, line, end_byte, field, error, left_out, record as cells
  from content_import_rejections
  where organization_id = ${organizationId} and import_id = ${importId} and end_byte > ${afterByte}
    and kind = ${kind}
  order by end_byte
  limit ${limit}
`;

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

/** Deletes rejected rows that have an address in one of their cells. */
export async function deleteRejectionsWith(
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<void> {
  const pattern = `(^|[^a-z0-9._+-])${addressKey.replaceAll(/[^a-z0-9@-]/g, String.raw`\$&`)}($|[^a-z0-9.-])`;
  await sql`
    delete from content_import_rejections
    where organization_id = ${organizationId} and lower(record::text) ~ ${pattern}
  `.execute(trx);
}
