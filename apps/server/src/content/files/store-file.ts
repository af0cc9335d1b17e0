import { writeAuditEntry } from '../../identity/access/audit.ts';
import type { AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import type { RequestOrigin } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { newId } from '../../platform/ids.ts';
import { detectFileType } from './file-type.ts';
import { addFile, cleanFileName, fileKey } from './files.ts';

/** Files are in memory while they come in: so many at once, of one organization two. */
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

/** @throws LimitExceeded when others take too long */
export const inUploadTurn = <T>(organizationId: string, work: () => Promise<T>): Promise<T> =>
  limitOfOrganization(organizationId, () => limitOfAll('', work));

export interface FileDeps {
  db: Database;
  /** Uploaded files. */
  files: FileStore;
  log: Log;
}

export interface ReceivedFile {
  bytes: Buffer;
  /** As its sender gave it. */
  name: string;
  title: string | null;
}

/**
 * Stores an uploaded file, writes the audit entry, and reads what the response says of it.
 * @param receive  reads the file, once it is its turn
 * @throws LimitExceeded; what `receive` throws
 */
export async function storeFile<T>(
  { db, files, log }: FileDeps,
  who: AuthorizedRequest & { origin: RequestOrigin },
  receive: () => Promise<ReceivedFile>,
  respond: (trx: Transaction, id: string) => Promise<T>,
): Promise<T> {
  const { organizationId } = who;
  return await inUploadTurn(organizationId, async () => {
    const { bytes, name, title } = await receive();
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
    };
    return await limitedTransaction(db, who, async (trx) => {
      await addFile(trx, organizationId, file);
      await writeUploadEntry(trx, who, file);
      return await respond(trx, id);
    }).catch(async (error: unknown) => {
      // Why it was not stored matters more; what stays behind goes with the organization.
      await files.remove(key).catch((failure: unknown) => log.warn({ err: failure }, 'file left behind'));
      throw error;
    });
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
