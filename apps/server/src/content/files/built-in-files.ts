import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { changedElsewhere } from '../backend/content-errors.ts';
import type { ContentFiles } from '../backend/content-files.ts';
import { resolveOwner } from '../owners/owners.ts';
import { cleanFileName } from './files.ts';
import { deleteFile, getFile, listFiles, updateFile } from './files.queries.ts';
import { toPublicKey } from './public-image.ts';

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
    const file = await deleteFile(trx, organizationId, id);
    if (file === undefined) throw notFound();
    return file;
  },
});
