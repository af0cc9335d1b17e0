import { accessScopeOf, type Action } from '@reachout/contract/abilities.ts';
import { operations, type OperationContext } from '../../identity/access/operations.ts';
import { forbidden } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { changeContent, readContent } from '../gateway/with-content.ts';
import { fileKey } from './files.ts';
import { toContentFile } from './public-image.ts';
import type { FileDeps } from './store-file.ts';

/** Files belong to the whole organization: members with a limited access scope have no access. @throws 403 */
function denyLimited({ rules, organizationId }: OperationContext, action: Action): void {
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
    work: async (backend, { id, filename_download, is_public }, context) => {
      denyLimited(context, 'update');
      const after = await backend.files.updateFile(id, { filename_download, is_public });
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
    // After the commit, when nothing refers to the bytes. Bytes left behind are removed with the organization.
    afterCommit: ({ organization_id, id }) =>
      files
        .remove(fileKey(organization_id, id))
        .catch((error: unknown) => log.warn({ err: error }, 'file left behind')),
  }),
});
