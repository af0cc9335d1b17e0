import { notFound, orNotFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { changedElsewhere, validationFailed } from '../backend/content-backend.ts';
import type { ContentFiles } from '../backend/content-files.ts';
import type { JsonValue } from '../backend/field-values.ts';
import type { StoredField } from '../built-in/stored-field.ts';
import { resolveOwner } from '../owners/owners.ts';
import { cleanFileName } from './files.ts';
import { deleteFile, findFile, getFile, listFiles, updateFile } from './files.queries.ts';
import { toPublicKey } from './drawn-images.ts';

/** The files of the built-in backend; works inside a transaction of the organization. */
export const createBuiltInFiles = (trx: Transaction, organizationId: string): ContentFiles => ({
  listFiles: (list) => listFiles(trx, organizationId, list),
  getFile: (id) => getFile(trx, organizationId, id),
  async updateFile(id, { filename_download: name, is_public, brand_id, bytes_id }) {
    const file = await getFile(trx, organizationId, id);
    if (typeof brand_id === 'string') await resolveOwner(trx, { brand_id });
    const changes = {
      ...(name === undefined ? {} : { filename_download: cleanFileName(name, 'file') }),
      ...(is_public === undefined ? {} : { public_key: is_public ? toPublicKey(file) : null }),
      ...(brand_id === undefined ? {} : { brand_id }),
    };
    if (!(await updateFile(trx, organizationId, id, changes, bytes_id)))
      throw bytes_id === undefined ? notFound() : changedElsewhere();
    return await getFile(trx, organizationId, id);
  },
  async deleteFile(id) {
    return orNotFound(await deleteFile(trx, organizationId, { id }));
  },
});

/** Checks that the files in image fields exist. @throws 422 `validation_failed` */
export async function requireFiles(
  trx: Transaction,
  organizationId: string,
  fields: readonly StoredField[],
  data: Readonly<Record<string, JsonValue>>,
): Promise<void> {
  for (const { name, type, interface: shownAs } of fields) {
    const id = data[name];
    if (type !== 'uuid' || shownAs !== 'image' || typeof id !== 'string') continue;
    if ((await findFile(trx, organizationId, { id })) === undefined)
      throw validationFailed([{ path: name, message: 'There is no such file.' }]);
  }
}
