import type { Readable } from 'node:stream';
import type { ImportDetails, ImportSettings } from '@reachout/contract/content-imports.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import type { Caller, RequestOrigin } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { LimitedAccessScope } from '../../identity/access/membership.ts';
import { enforceQuota, lockForQuota } from '../../identity/organizations/quotas.ts';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { cancelJob, enqueueJob, hastenJob } from '../../platform/jobs/enqueue-job.ts';
import { withWaitBudget } from '../../platform/wait-budget.ts';
import { findFields } from '../../content/built-in/collections.queries.ts';
import { ensureContactsOf } from '../../content/collections/collections.ts';
import { isPlatformCollection } from '../../content/backend/content-backend.ts';
import { cleanFileName } from '../../content/files/files.ts';
import { findEndpoint } from '../../content/directus/connection.queries.ts';
import { changedBackend } from '../../content/directus/directus-error.ts';
import {
  checkSettings,
  jobsOf,
  maxOpenImports,
  partBytes,
  uploadLimitMs,
  type ImportDeps,
  type StoredSettings,
} from './import.ts';
import { getImport } from './imports.ts';
import type { RemoteCollection } from './remote-collection.ts';
import { addFields } from './start-import.ts';
import { countOpenImports, insertImport } from './imports.queries.ts';
import { deleteUpload, insertPart } from './import-file.queries.ts';
import { queueImport } from './import-progress.queries.ts';

export interface Upload {
  userId: string;
  apiKey: Caller['apiKey'];
  organizationId: string;
  accessScope: LimitedAccessScope | undefined;
  origin: RequestOrigin;
  settings: ImportSettings;
  /** Set if the collection belongs to a Directus. */
  remote?: RemoteCollection | undefined;
  fileName: string;
  /** After the end of `file`, `isTruncated` returns whether it exceeded the size limit. */
  file: Readable;
  isTruncated: () => boolean;
}

/**
 * Stores an uploaded file in parts and queues its import. Keeps at most one part in memory. Deletes an upload that is
 * interrupted or too large.
 * @throws 422 for settings that do not fit the collection, or an empty file; 413 for a file that is too large; 429 for too
 *   many open imports; 409 `quota_exceeded`
 */
export async function receiveImport({ db, log }: ImportDeps, upload: Upload): Promise<ImportDetails> {
  const { userId, organizationId, accessScope, remote, file } = upload;
  const endpoint = remote?.endpoint ?? null;
  const jobs = jobsOf({ endpoint });
  const inTenant = <T>(work: (trx: Transaction) => Promise<T>) =>
    limitedTransaction(db, { userId, organizationId, accessScope }, work);
  // An upload may take minutes, so each step gets its own wait budget.
  const inNextStep = <T>(work: (trx: Transaction) => Promise<T>) => withWaitBudget(() => inTenant(work));
  const key = { organizationId, importId: newId() };
  const job = { organizationId, key: key.importId };
  const fileName = cleanFileName(upload.fileName, 'file.csv');

  const settings = await inTenant(async (trx) => {
    if ((await findEndpoint(trx, organizationId)) !== endpoint) throw changedBackend();
    const resolved = await resolveTarget(trx, upload);
    await checkTarget(trx, organizationId, resolved, remote);
    await lockForQuota(trx, organizationId, 'imports');
    if ((await countOpenImports(trx, organizationId)) >= maxOpenImports) {
      throw apiError('too_many_imports');
    }
    await insertImport(trx, {
      id: key.importId,
      organization_id: organizationId,
      collection: resolved.collection,
      endpoint,
      file_name: fileName,
      settings: resolved,
      user_created: userId,
    });
    await enforceQuota(trx, organizationId, 'imports');
    // Deletes the upload later if this process dies.
    const payload = { import_id: key.importId };
    await enqueueJob(trx, jobs, { ...job, payload, delayMs: uploadLimitMs });
    return resolved;
  });
  try {
    let total = 0;
    for await (const bytes of inParts(file)) {
      const first_byte = total;
      await inNextStep((trx) => insertPart(trx, key, { first_byte, bytes }));
      total += bytes.length;
    }
    if (upload.isTruncated()) throw apiError('too_large');
    if (total === 0) throw invalidInput('file', 'The file is empty.');
    return await inNextStep(async (trx) => {
      if (settings.check === 'false')
        await addFields(trx, organizationId, settings.collection, settings.new_fields);
      await queueImport(trx, key, total, settings);
      await writeAuditEntry(trx, upload, 'content.import', {
        record_type: 'content_imports',
        record_id: key.importId,
        record_name: fileName,
        details: { collection: settings.collection, bytes: total },
      });
      await hastenJob(trx, jobs, job);
      return await getImport(trx, organizationId, key.importId);
    });
  } catch (error) {
    await inNextStep(async (trx) => {
      await deleteUpload(trx, key);
      await cancelJob(trx, jobs, job);
    }).catch((failure: unknown) => {
      // The job deletes the upload later; the original error matters more.
      log.warn({ err: failure, import: key.importId }, 'upload left behind');
    });
    throw error;
  }
}

/** Finds the collection of the client whose contacts the file has, and creates it if necessary. @throws 422, 409 */
async function resolveTarget(trx: Transaction, upload: Upload): Promise<StoredSettings> {
  const { client_id, collection, ...settings } = upload.settings;
  if (collection !== undefined) return { ...settings, collection };
  const target = await ensureContactsOf(trx, upload.organizationId, client_id!);
  if (target.created !== undefined)
    await writeAuditEntry(trx, upload, 'content.createCollection', {
      record_name: target.created.label ?? target.collection,
    });
  return { ...settings, collection: target.collection };
}

async function checkTarget(
  trx: Transaction,
  organizationId: string,
  settings: StoredSettings,
  remote: RemoteCollection | undefined,
): Promise<void> {
  const { collection } = settings;
  const fields = isPlatformCollection(collection)
    ? undefined
    : (remote?.fields ?? (await findFields(trx, organizationId, collection)));
  if (fields === undefined) throw invalidInput('collection', 'There is no such collection.');
  const problem = checkSettings(settings, fields);
  if (problem !== undefined) throw invalidInput(problem.path, problem.message);
}

async function* inParts(file: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < partBytes) continue;
    const bytes = Buffer.concat(waiting);
    let taken = 0;
    for (; taken + partBytes <= bytes.length; taken += partBytes)
      yield bytes.subarray(taken, taken + partBytes);
    waiting = [bytes.subarray(taken)];
    length = bytes.length - taken;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
