import { sql } from 'kysely';
import { uploadingImportStatus } from '@reachout/contract/states/import.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ImportKey } from './imports.queries.ts';

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

/** One that was only checked; its file and its rejected rows are removed by a job. */
export async function deleteChecked(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
): Promise<void> {
  await trx
    .deleteFrom('content_imports')
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .execute();
}

export async function deleteParts(trx: Transaction, { organizationId, importId }: ImportKey): Promise<void> {
  await trx
    .deleteFrom('content_import_parts')
    .where('organization_id', '=', organizationId)
    .where('import_id', '=', importId)
    .execute();
}
