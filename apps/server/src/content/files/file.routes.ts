import { requireWholeOrganization } from '../../identity/access/membership.ts';
import { operations, type OperationContext } from '../../identity/access/operations.ts';
import { isInvalidImage } from '../../identity/storage/image.ts';
import { invalidInput, orNotFound } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { changeContent, readContent } from '../gateway/with-content.ts';
import { readDrawn, removeBytes, toContentFile, toPublicKey } from './drawn-images.ts';
import { findFile } from './files.queries.ts';
import type { FileDeps } from './store-file.ts';

interface FileRoutesDeps extends Pick<FileDeps, 'files'>, DirectusDeps {
  log: Log;
  config: { publicUrl: string };
}

/** The bytes that a request has checked and drawn to make them public. */
const drawn = new WeakMap<OperationContext, string>();

/** The bytes of the file that a request has deleted, to be removed after its commit. */
const unused = new WeakMap<OperationContext, string>();

export const createFileRoutes = ({ files, log, config: { publicUrl }, ...deps }: FileRoutesDeps) => ({
  files: readContent(deps, operations.content.files, async (backend, input, context) => {
    requireWholeOrganization(context, 'read', 'Content');
    const { organization_id: _organizationId, kind, ...list } = input;
    const { items, count } = await backend.files.listFiles({ ...list, isImage: kind === 'image' });
    return { items: items.map((file) => toContentFile(file, publicUrl)), count };
  }),
  file: readContent(deps, operations.content.file, async (backend, { id }, context) => {
    requireWholeOrganization(context, 'read', 'Content');
    return toContentFile(await backend.files.getFile(id), publicUrl);
  }),
  updateFile: changeContent(deps, operations.content.updateFile, {
    // The image is drawn now, so that the member learns if that is not possible, and no reader has to wait for it.
    prepare: async ({ organization_id, id, is_public }, context) => {
      requireWholeOrganization(context, 'update', 'Content');
      if (is_public !== true) return;
      const found = orNotFound(await context.transaction((trx) => findFile(trx, organization_id, { id })));
      toPublicKey({ ...found, public_key: null });
      await readDrawn(files, { organization_id, bytes_id: found.bytes_id }).catch((error: unknown) => {
        throw isInvalidImage(error) ? invalidInput('is_public', error.message) : error;
      });
      drawn.set(context, found.bytes_id);
    },
    work: async (backend, { id, filename_download, is_public, brand_id }, context) => {
      requireWholeOrganization(context, 'update', 'Content');
      const after = await backend.files.updateFile(id, {
        filename_download,
        is_public,
        brand_id,
        bytes_id: drawn.get(context),
      });
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
      requireWholeOrganization(context, 'delete', 'Content');
      const { filename_download, bytes_id } = await backend.files.deleteFile(id);
      if (bytes_id !== undefined) unused.set(context, bytes_id);
      context.note({ record_id: id, record_name: filename_download });
      return { id };
    },
    afterCommit: async ({ organization_id }, context) => {
      const bytes_id = unused.get(context);
      if (bytes_id !== undefined) await removeBytes({ files, log }, organization_id, [bytes_id]);
    },
  }),
});
