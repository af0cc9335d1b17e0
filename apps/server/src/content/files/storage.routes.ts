import type { ContentBucket } from '@reachout/contract/rules/storage.ts';
import { requireWholeOrganization } from '../../identity/access/membership.ts';
import { operations, inTransaction } from '../../identity/access/operations.ts';
import { parsePlainPath, type StoredPath } from '../../identity/storage/stored-path.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { removeBytes } from './drawn-images.ts';
import { deleteFile, findFile } from './files.queries.ts';
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
    const found = await findFile(trx, organizationId, getStored(organizationId, bucket, input.path));
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
        const deleted = await deleteFile(trx, organizationId, getStored(organizationId, bucket, path));
        if (deleted === undefined) throw notFound();
        unused.push(deleted.bytes_id);
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
    await removeBytes({ files, log }, organizationId, unused);
    return response;
  }),
});

/** @throws 404 for the folder of another organization, and for what is no path */
function getStored(organizationId: string, bucket: ContentBucket, path: string): StoredPath<ContentBucket> {
  const stored = parsePlainPath(bucket, path);
  if (stored?.ownerId !== organizationId) throw notFound();
  return stored;
}
