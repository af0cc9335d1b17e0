import type { ImportDetails, NewField } from '@reachout/contract/content-imports.ts';
import {
  checkedImportStatus,
  checkingImportStatus,
  importTransitions,
} from '@reachout/contract/states/import.ts';
import {
  assertTransition,
  invalidInput,
  invalidTransition,
  orNotFound,
} from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { enqueueJob, hastenJob } from '../../platform/jobs/enqueue-job.ts';
import { findFields, insertFields } from '../../content/built-in/collections.queries.ts';
import { findEndpoint } from '../../content/directus/connection.queries.ts';
import { changedBackend } from '../../content/directus/directus-error.ts';
import { checkSettings, importFileJobs, jobsOf, type ImportRow } from './import.ts';
import { getImport } from './imports.ts';
import { deleteChecked } from './import-file.queries.ts';
import { lockImport, type ImportKey } from './imports.queries.ts';
import { queueChecked, resetCounts } from './import-progress.queries.ts';

/**
 * Starts the import of a checked file: adds its new fields to the collection and queues it.
 * @throws 404; 409 `invalid_transition` if the import is not waiting to be started; 422 on `new_fields` for fields that
 *   exist by now; 424 `backend_failed` if another content backend is in use by now
 */
export async function startCheckedImport(trx: Transaction, key: ImportKey): Promise<ImportDetails> {
  const row = orNotFound(await lockImport(trx, key));
  if ((await findEndpoint(trx, key.organizationId)) !== row.endpoint) throw changedBackend();
  assertTransition(importTransitions, row.status, 'queued');
  if (row.status !== checkedImportStatus) throw invalidTransition(row.status, 'queued');
  // For a Directus, the import itself checks the current fields.
  if (row.endpoint === null) await addNewFields(trx, row);
  await resetCounts(trx, key);
  await queueChecked(trx, key);
  // The job of the check may still be open briefly, hence another key.
  const job = { organizationId: key.organizationId, key: `start ${key.importId}` };
  await enqueueJob(trx, jobsOf(row), { ...job, payload: { import_id: key.importId } });
  return await getImport(trx, key.organizationId, key.importId);
}

/** @throws 422 on `new_fields` for fields that exist by now */
async function addNewFields(
  trx: Transaction,
  { organization_id, collection, settings }: ImportRow,
): Promise<void> {
  const fields = (await findFields(trx, organization_id, collection)) ?? [];
  const problem = checkSettings(settings, fields);
  if (problem !== undefined) throw invalidInput(problem.path, problem.message);
  await addFields(trx, organization_id, collection, settings.new_fields);
}

/**
 * Deletes an import that was checked or is being checked; a job removes its file and rejected rows.
 * @throws 404; 409 `invalid_transition`
 */
export async function dropImport(trx: Transaction, key: ImportKey): Promise<{ fileName: string }> {
  const row = orNotFound(await lockImport(trx, key));
  if (row.status !== checkedImportStatus && row.status !== checkingImportStatus)
    throw invalidTransition(row.status, 'deleted');
  await deleteChecked(trx, key);
  const job = { organizationId: key.organizationId, key: key.importId };
  await enqueueJob(trx, importFileJobs, { ...job, payload: { import_id: key.importId } });
  // The job was delayed to wait for a user to start the import.
  await hastenJob(trx, importFileJobs, job);
  return { fileName: row.file_name };
}

export const addFields = (
  trx: Transaction,
  organizationId: string,
  collection: string,
  fields: readonly NewField[],
): Promise<void> =>
  insertFields(
    trx,
    { organizationId, collection },
    fields.map(({ field, label, type }) => ({ name: field, label, type })),
  );
