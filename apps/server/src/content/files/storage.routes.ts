import { requireWholeOrganization } from '../../identity/access/membership.ts';
import { operations, inTransaction } from '../../identity/access/operations.ts';
import { parsePlainPath } from '../../identity/storage/file-path.ts';
import { removeUnused } from '../../identity/storage/remove-files.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { keysOf } from './drawn-images.ts';
import { deleteFileAt, findFileAt } from './files.queries.ts';
import { signFile } from './signed-file.ts';

interface StorageRoutesDeps {
  files: FileStore;
  log: Log;
  secrets: Secrets;
  config: { publicUrl: string };
}

/** The operations of the file storage that carry no bytes. */
export const createStorageRoutes = ({ files, log, secrets, config: { publicUrl } }: StorageRoutesDeps) => ({
  createSignedUrl: inTransaction(operations.storage.createSignedUrl, async (trx, input, context) => {
    requireWholeOrganization(context, 'read', 'Content');
    const { organizationId } = context;
    await denyWithDirectus(trx, organizationId);
    const { bucket, expires_in } = input;
    const found = await findFileAt(trx, organizationId, {
      bucket,
      path: getPath(organizationId, input.path),
    });
    if (found === undefined) throw notFound();
    context.note({
      record_type: 'content',
      record_id: found.id,
      record_name: found.filename_download,
      fields: [],
    });
    const expiresAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 + expires_in * 1_000);
    const token = signFile(secrets, { organizationId, bytesId: found.bytes_id, expiresAt });
    return { url: `${publicUrl}/api/storage/signed/${token}`, expires_at: expiresAt.toISOString() };
  }),

  deleteFiles: operations.storage.deleteFiles.handler(async ({ input: { bucket, paths }, context }) => {
    requireWholeOrganization(context, 'delete', 'Content');
    const { organizationId } = context;
    const unused: string[] = [];
    const response = await context.commit(async (trx) => {
      await denyWithDirectus(trx, organizationId);
      const names: string[] = [];
      // In one order for all, so that two of these never wait for each other.
      for (const path of [...new Set(paths)].sort()) {
        const deleted = await deleteFileAt(trx, organizationId, {
          bucket,
          path: getPath(organizationId, path),
        });
        if (deleted === undefined) throw notFound();
        unused.push(...keysOf({ organization_id: organizationId, bytes_id: deleted.bytes_id }));
        names.push(deleted.filename_download);
      }
      context.note({
        record_type: 'content',
        record_name: names[0],
        details: { items: names.length },
        fields: [],
      });
      return { bucket, paths };
    });
    await removeUnused({ files, log }, unused);
    return response;
  }),
});

/** The path within the folder of the organization. @throws 404 for that of another one, and for what is no path */
function getPath(organizationId: string, path: string): string {
  const file = parsePlainPath(path);
  if (file?.organizationId !== organizationId) throw notFound();
  return file.path;
}
