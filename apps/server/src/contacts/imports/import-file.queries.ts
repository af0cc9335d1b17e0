import { uploadingImportStatus } from '@reachout/contract/states/import.ts';
import { rowsOf, execute, type Transaction } from '../../platform/database/database.ts';
import type { StoredSettings } from './import.ts';
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

export async function deleteUpload(trx: Transaction, { organizationId, importId }: ImportKey): Promise<void> {
  await deleteParts(trx, { organizationId, importId });
  await trx
    .deleteFrom('content_imports')
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .where('status', '=', uploadingImportStatus)
    .execute();
}

/** Stores how a file is read, once it was opened. */
export const storeFound = (
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  found: Pick<StoredSettings, 'header' | 'separator' | 'encoding'>,
) => execute(trx)`
  update content_imports set settings = settings || ${JSON.stringify(found)}::jsonb
  where organization_id = ${organizationId} and id = ${importId}
`;

/** @returns the rest of the file part that contains a byte, starting at that byte; undefined after the end of the file */
export async function findBytes(
  trx: Transaction,
  { organizationId, importId }: ImportKey,
  byte: number,
): Promise<Buffer | undefined> {
  const rows = await rowsOf<{ first_byte: number; bytes: Buffer }>(trx)`
    select first_byte, bytes from content_import_parts
    where organization_id = ${organizationId} and import_id = ${importId} and first_byte <= ${byte}
    order by first_byte desc
    limit 1
  `;
  const [part] = rows;
  if (part === undefined || byte >= part.first_byte + part.bytes.length) return undefined;
  return part.bytes.subarray(byte - part.first_byte);
}

/** Deletes an import that was only checked. A job removes its file and rejected rows. */
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
