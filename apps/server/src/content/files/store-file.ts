import { writeAuditEntry } from '../../identity/access/audit.ts';
import type { AuthorizedRequest } from '../../identity/access/membership.ts';
import type { RequestOrigin } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { detectFileType } from '../../identity/storage/file-type.ts';
import { contentKey, toSegment } from '../../identity/storage/stored-path.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { apiError, forbidden } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import { newId } from '../../platform/ids.ts';
import { resolveOwner } from '../owners/owners.ts';
import { readDrawn, removeBytes, toPublicKey } from './drawn-images.ts';
import { addFile, bucketOf, cleanFileName, lockFiles } from './files.ts';
import { findFile, type FilePlace } from './files.queries.ts';

export interface FileDeps {
  db: Database;
  /** Uploaded files. */
  files: FileStore;
  log: Log;
}

export interface NewFile {
  bytes: Buffer;
  /** As given by the sender. */
  name: string;
  /** If it has none, it keeps that of the file that it replaces. */
  title?: string | null;
  /** The brand whose library it is added to. If undefined, it is that of the file that it replaces. */
  brandId?: string | undefined;
  /** Where the sender wants it. Without it, the bucket follows from the type, and the path has the id. */
  place?: FilePlace & {
    /** Whether a file at this path is replaced. */
    isUpsert: boolean;
  };
  /** Whether the image gets a public address. If undefined, it has one if the file that it replaces had one. */
  isPublic?: boolean | undefined;
  /** Of the audit entry. */
  action?: 'content.upload' | 'storage.upload';
}

/**
 * Stores an uploaded file, writes the audit entry, and reads the response. Call it within `receiveUpload`.
 * @throws 409 `name_taken` for a path, `changed_elsewhere` if the file that it replaces was made public during the upload; 422 `invalid_image`, or on `brand_id` or `public`; 403 if the file that it replaces may
 *   not be changed; LimitExceeded; FileStoreFailure
 */
export async function storeFile<T>(
  { db, files, log }: FileDeps,
  who: AuthorizedRequest & { origin: RequestOrigin },
  { bytes, name, title = null, brandId, place, isPublic, action }: NewFile,
  respond: (trx: Transaction, id: string) => Promise<T>,
): Promise<T> {
  const { organizationId } = who;
  const bytes_id = newId();
  const type = detectFileType(bytes);
  const { bucket, path } = place ?? { bucket: bucketOf(type), path: `${bytes_id}/${toSegment(name)}` };
  const file = {
    bytes_id,
    bucket,
    path,
    filename_download: cleanFileName(name, 'file'),
    type,
    filesize: bytes.length,
    user_created: who.userId,
  };
  const replaced = place && (await limitedTransaction(db, who, (trx) => findReplaced(trx, who, place)));
  const isDrawn = isPublic ?? replaced?.public_key != null;
  // Checked before anything is stored.
  if (isDrawn) toPublicKey({ ...file, public_key: null }, 'public');
  try {
    await files.write(contentKey(organizationId, bytes_id), bytes);
    // Drawn now, so that the sender learns if that is not possible, and no reader has to wait for it.
    if (isDrawn) await readDrawn(files, { organization_id: organizationId, bytes_id });
    const { response, unused } = await limitedTransaction(db, who, async (trx) => {
      if (brandId !== undefined) await resolveOwner(trx, { brand_id: brandId });
      await lockFiles(trx, organizationId);
      const before = place && (await findReplaced(trx, who, place, { isLocked: true }));
      const kept = before?.public_key ?? null;
      const isShownToAll = isPublic ?? kept !== null;
      // It was made public since.
      if (isShownToAll && !isDrawn) throw apiError('changed_elsewhere');
      const public_key = isShownToAll ? toPublicKey({ ...file, public_key: kept }, 'public') : null;
      // Items that name it show what replaces it.
      const id = before?.id ?? bytes_id;
      await addFile(trx, organizationId, {
        ...file,
        id,
        title: title ?? before?.title ?? null,
        brand_id: brandId ?? before?.brand_id ?? null,
        public_key,
      });
      await writeUploadEntry(trx, who, { ...file, id }, action);
      return { response: await respond(trx, id), unused: before };
    });
    if (unused !== undefined) await removeBytes({ files, log }, organizationId, [unused.bytes_id]);
    return response;
  } catch (error) {
    await removeBytes({ files, log }, organizationId, [bytes_id]);
    throw error;
  }
}

/** The file at this path. @throws 409, 403 if it may not be replaced */
async function findReplaced(
  trx: Transaction,
  { organizationId, can }: AuthorizedRequest,
  place: NonNullable<NewFile['place']>,
  lock: { isLocked?: boolean } = {},
) {
  const found = await findFile(trx, organizationId, place, lock);
  if (found === undefined) return undefined;
  if (!place.isUpsert)
    throw apiError('name_taken', undefined, 'There is a file at this path. To replace it, send upsert=true.');
  if (!can('update', 'Content')) throw forbidden('update', 'Content');
  return found;
}

/** The audit entry of an upload. */
export const writeUploadEntry = (
  trx: Transaction,
  who: AuthorizedRequest & { origin: RequestOrigin },
  { id, filename_download, filesize }: { id: string; filename_download: string; filesize: number },
  action: NewFile['action'] = 'content.upload',
): Promise<void> =>
  writeAuditEntry(trx, who, action, {
    record_type: 'content',
    record_id: id,
    record_name: filename_download,
    details: { bytes: filesize },
  });
