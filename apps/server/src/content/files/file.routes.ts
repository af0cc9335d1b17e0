import { accessScopeOf, type Action } from '@reachout/contract/abilities.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { forbidden, notFound } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import { cleanFileName, fileKey } from './files.ts';
import { deleteFile, getFile, listFiles, updateFile } from './files.queries.ts';
import type { FileDeps } from './store-file.ts';

/** Files belong to the whole organization: limited members have none of them. @throws 403 */
function denyLimited({ rules, organizationId }: OperationContext, action: Action): void {
  if (accessScopeOf(rules, action, 'Content', organizationId) !== 'all') throw forbidden(action, 'Content');
}

export const createFileRoutes = ({ files, log }: Pick<FileDeps, 'files'> & { log: Log }) => ({
  files: inTransaction(operations.content.files, (trx, input, context) => {
    denyLimited(context, 'read');
    const { organization_id: organizationId, kind, ...list } = input;
    return listFiles(trx, organizationId, { ...list, isImage: kind === 'image' });
  }),
  file: inTransaction(operations.content.file, (trx, { organization_id: organizationId, id }, context) => {
    denyLimited(context, 'read');
    return getFile(trx, organizationId, id);
  }),
  updateFile: inTransaction(operations.content.updateFile, async (trx, input, context) => {
    denyLimited(context, 'update');
    const { organization_id: organizationId, id } = input;
    const filename_download = cleanFileName(input.filename_download);
    if (!(await updateFile(trx, organizationId, id, { filename_download }))) throw notFound();
    context.note({ record_id: id, record_name: filename_download });
    return await getFile(trx, organizationId, id);
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
