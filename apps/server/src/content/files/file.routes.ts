import { accessScopeOf, type Action } from '@reachout/contract/abilities.ts';
import { operations, type OperationContext } from '../../identity/access/operations.ts';
import { isInvalidImage } from '../../identity/storage/image.ts';
import { removeUnused } from '../../identity/storage/remove-files.ts';
import { forbidden, invalidInput } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { changeContent, readContent } from '../gateway/with-content.ts';
import { keysOf, readDrawn } from './drawn-images.ts';
import { getFile } from './files.queries.ts';
import { toContentFile, toPublicKey } from './public-image.ts';
import type { FileDeps } from './store-file.ts';

/** Files belong to the whole organization: members with a limited access scope have no access. @throws 403 */
export function denyLimited({ rules, organizationId }: OperationContext, action: Action): void {
  if (accessScopeOf(rules, action, 'Content', organizationId) !== 'all') throw forbidden(action, 'Content');
}

interface FileRoutesDeps extends Pick<FileDeps, 'files'>, DirectusDeps {
  log: Log;
  config: { publicUrl: string };
}

export const createFileRoutes = ({ files, log, config: { publicUrl }, ...deps }: FileRoutesDeps) => ({
  files: readContent(deps, operations.content.files, async (backend, input, context) => {
    denyLimited(context, 'read');
    const { organization_id: _organizationId, kind, ...list } = input;
    const { items, count } = await backend.files.listFiles({ ...list, isImage: kind === 'image' });
    return { items: items.map((file) => toContentFile(file, publicUrl)), count };
  }),
  file: readContent(deps, operations.content.file, async (backend, { id }, context) => {
    denyLimited(context, 'read');
    return toContentFile(await backend.files.getFile(id), publicUrl);
  }),
  updateFile: changeContent(deps, operations.content.updateFile, {
    // The image is drawn now, so that the member learns if that is not possible, and no reader has to wait for it.
    prepare: async ({ organization_id, id, is_public }, context) => {
      denyLimited(context, 'update');
      if (is_public !== true) return;
      toPublicKey(await context.transaction((trx) => getFile(trx, organization_id, id)));
      await readDrawn(files, { organization_id, id }).catch((error: unknown) => {
        throw isInvalidImage(error) ? invalidInput('is_public', error.message) : error;
      });
    },
    work: async (backend, { id, filename_download, is_public, brand_id }, context) => {
      denyLimited(context, 'update');
      const after = await backend.files.updateFile(id, { filename_download, is_public, brand_id });
      context.note({
        record_id: id,
        record_name: after.filename_download,
        ...(is_public === undefined ? {} : { details: { is_public } }),
      });
      return toContentFile(after, publicUrl);
    },
  }),
  deleteFile: changeContent(deps, operations.content.deleteFile, {
    work: async (backend, { id }, context) => {
      denyLimited(context, 'delete');
      const { filename_download } = await backend.files.deleteFile(id);
      context.note({ record_id: id, record_name: filename_download });
      return { id };
    },
    afterCommit: ({ organization_id, id }) => removeUnused({ files, log }, keysOf({ organization_id, id })),
  }),
});
