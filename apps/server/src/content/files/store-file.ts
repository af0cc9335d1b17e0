import { writeAuditEntry } from '../../identity/access/audit.ts';
import type { AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import type { RequestOrigin } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { newId } from '../../platform/ids.ts';
import { resolveOwner } from '../owners/owners.ts';
import { detectFileType } from './file-type.ts';
import { addFile, cleanFileName, fileKey } from './files.ts';

/**
 * Files are in memory during the upload, so there is a limit. Users who upload many, or to a slow Directus, wait only for
 * their own uploads.
 */
const limitOfPerson = createConcurrencyLimiter({
  bound: 'content uploads of one person',
  maxConcurrent: 4,
  maxQueued: 20,
  maxWaitMs: 20_000,
});
const limitOfOrganization = createConcurrencyLimiter({
  bound: 'content uploads of one organization',
  maxConcurrent: 2,
  maxQueued: 20,
  maxWaitMs: 20_000,
});
const limitOfAll = createConcurrencyLimiter({
  bound: 'content uploads',
  maxConcurrent: 8,
  maxQueued: 100,
  maxWaitMs: 20_000,
});

/**
 * @param receive  runs in a slot that all organizations share; it resolves with the remaining work, which runs outside of
 *   that slot, so that no organization waits for the server of another
 * @throws LimitExceeded when the wait for a slot is too long
 */
export const limitUploads = <T>(
  { userId, organizationId }: Pick<AuthorizedRequest, 'userId' | 'organizationId'>,
  receive: () => Promise<() => Promise<T>>,
): Promise<T> =>
  limitOfPerson(userId, () =>
    limitOfOrganization(organizationId, async () => {
      const finish = await limitOfAll('', receive);
      return await finish();
    }),
  );

export interface FileDeps {
  db: Database;
  /** Uploaded files. */
  files: FileStore;
  log: Log;
}

export interface ReceivedFile {
  bytes: Buffer;
  /** As given by the sender. */
  name: string;
  title: string | null;
  /** The brand whose library it is added to. */
  brandId?: string | undefined;
}

/**
 * Stores an uploaded file, writes the audit entry, and reads the response. Call it within `limitUploads`.
 * @throws 422 on `brand_id`; LimitExceeded; FileStoreFailure
 */
export async function storeFile<T>(
  { db, files, log }: FileDeps,
  who: AuthorizedRequest & { origin: RequestOrigin },
  { bytes, name, title, brandId }: ReceivedFile,
  respond: (trx: Transaction, id: string) => Promise<T>,
): Promise<T> {
  const { organizationId } = who;
  const id = newId();
  const key = fileKey(organizationId, id);
  await files.write(key, bytes);
  const file = {
    id,
    filename_download: cleanFileName(name, 'file'),
    title,
    type: detectFileType(bytes),
    filesize: bytes.length,
    user_created: who.userId,
    brand_id: brandId ?? null,
  };
  return await limitedTransaction(db, who, async (trx) => {
    if (brandId !== undefined) await resolveOwner(trx, { brand_id: brandId });
    await addFile(trx, organizationId, file);
    await writeUploadEntry(trx, who, file);
    return await respond(trx, id);
  }).catch(async (error: unknown) => {
    // The original error matters more. Bytes left behind are removed with the organization.
    await files.remove(key).catch((failure: unknown) => log.warn({ err: failure }, 'file left behind'));
    throw error;
  });
}

/** The audit entry of an upload. */
export const writeUploadEntry = (
  trx: Transaction,
  who: AuthorizedRequest & { origin: RequestOrigin },
  { id, filename_download, filesize }: { id: string; filename_download: string; filesize: number },
): Promise<void> =>
  writeAuditEntry(trx, who, 'content.upload', {
    record_type: 'content',
    record_id: id,
    record_name: filename_download,
    details: { bytes: filesize },
  });
