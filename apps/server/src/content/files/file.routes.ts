import { accessScopeOf, type Action } from '@reachout/contract/abilities.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { forbidden, notFound } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import { cleanFileName, fileKey } from './files.ts';
import { deleteFile, getFile, listFiles, updateFile } from './files.queries.ts';
import { toContentFile, toPublicKey } from './public-image.ts';
import type { FileDeps } from './store-file.ts';

/** Files belong to the whole organization: limited members have none of them. @throws 403 */
function denyLimited({ rules, organizationId }: OperationContext, action: Action): void {
  if (accessScopeOf(rules, action, 'Content', organizationId) !== 'all') throw forbidden(action, 'Content');
}

interface FileRoutesDeps extends Pick<FileDeps, 'files'> {
  log: Log;
  config: { publicUrl: string };
}

export const createFileRoutes = ({ files, log, config: { publicUrl } }: FileRoutesDeps) => ({
  files: inTransaction(operations.content.files, async (trx, input, context) => {
    denyLimited(context, 'read');
    const { organization_id: organizationId, kind, ...list } = input;
    const { items, count } = await listFiles(trx, organizationId, { ...list, isImage: kind === 'image' });
    return { items: items.map((file) => toContentFile(file, publicUrl)), count };
  }),
  file: inTransaction(
    operations.content.file,
    async (trx, { organization_id: organizationId, id }, context) => {
      denyLimited(context, 'read');
      return toContentFile(await getFile(trx, organizationId, id), publicUrl);
    },
  ),
  updateFile: inTransaction(operations.content.updateFile, async (trx, input, context) => {
    denyLimited(context, 'update');
    const { organization_id: organizationId, id } = input;
    const { filename_download: name, is_public } = input;
    const file = await getFile(trx, organizationId, id);
    const changed = await updateFile(trx, organizationId, id, {
      ...(name === undefined ? {} : { filename_download: cleanFileName(name, 'file') }),
      ...(is_public === undefined ? {} : { public_key: is_public ? toPublicKey(file) : null }),
    });
    if (!changed) throw notFound();
    const after = await getFile(trx, organizationId, id);
    context.note({
      record_id: id,
      record_name: after.filename_download,
      ...(is_public === undefined ? {} : { details: { is_public } }),
    });
    return toContentFile(after, publicUrl);
  }),
  deleteFile: operations.content.deleteFile.handler(async ({ input, context }) => {
    denyLimited(context, 'delete');
    const { organization_id: organizationId, id } = input;
    const response = await context.commit(async (trx) => {
      const file = await deleteFile(trx, organizationId, id);
      if (file === undefined) throw notFound();
      context.note({ record_id: id, record_name: file.filename_download });
      return { id };
    });
    // Once nothing refers to the bytes; what stays behind goes with the organization.
    await files
      .remove(fileKey(organizationId, id))
      .catch((error: unknown) => log.warn({ err: error }, 'file left behind'));
    return response;
  }),
});
