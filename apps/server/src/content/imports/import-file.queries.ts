import { sql } from 'kysely';
import {
  checkedImportStatus,
  hasImportEnded,
  uploadingImportStatus,
} from '@reachout/contract/states/import.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findImport, type ImportKey } from './imports.queries.ts';
import { resetCounts } from './import-progress.queries.ts';

export async function insertPart(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  part: { first_byte: number; bytes: Buffer },
): Promise<void> {
  await trx
    .insertInto('content_import_parts')
    .values({ organization_id: organizationId, import_id: importId, ...part })
    .execute();
}

/** Takes back an upload that did not come to its end. */
export async function deleteUpload(trx: Transaction, { organizationId, importId }: ImportKey): Promise<void> {
  await deleteParts(trx, { organizationId, importId });
  await trx
    .deleteFrom('content_imports')
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .where('status', '=', uploadingImportStatus)
    .execute();
}

export async function storeHeader(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  header: readonly string[],
): Promise<void> {
  await sql`
    update content_imports set settings = settings || ${JSON.stringify({ header })}::jsonb
    where organization_id = ${organizationId} and id = ${importId}
  `.execute(trx);
}

/** The piece of the file that holds a byte, from that byte on; undefined behind the end. */
export async function findBytes(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  byte: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ first_byte: number; bytes: Buffer }>`
    select first_byte, bytes from content_import_parts
    where organization_id = ${organizationId} and import_id = ${importId} and first_byte <= ${byte}
    order by first_byte desc
    limit 1
  `.execute(trx);
  const [part] = rows;
  if (part === undefined || byte >= part.first_byte + part.bytes.length) return undefined;
  return part.bytes.subarray(byte - part.first_byte);
}

/** An import that was only checked, with all that is kept of it. */
export async function deleteChecked(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
): Promise<void> {
  await resetCounts(trx, { organizationId, importId });
  await deleteParts(trx, { organizationId, importId });
  await trx
    .deleteFrom('content_imports')
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .execute();
}

/** The file of an import that has ended; of one that nobody started after its check, all. */
export async function deleteFileOfEnded(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
): Promise<void> {
  const row = await findImport(trx, organizationId, importId);
  if (row?.status === checkedImportStatus) await deleteChecked(trx, { organizationId, importId });
  else if (row === undefined || hasImportEnded(row)) await deleteParts(trx, { organizationId, importId });
}

export async function deleteParts(trx: Transaction, { organizationId, importId }: ImportKey): Promise<void> {
  await trx
    .deleteFrom('content_import_parts')
    .where('organization_id', '=', organizationId)
    .where('import_id', '=', importId)
    .execute();
}
