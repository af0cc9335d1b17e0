import { importError } from '@reachout/contract/rules/import-errors.ts';
import { inOrganization, type Transaction } from '../../platform/database/database.ts';
import { handleJobs, type JobHandler } from '../../platform/jobs/job-kind.ts';
import { openContacts } from '../../content/gateway/contact-collection.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { describeFailure } from '../../content/directus/describe-failure.ts';
import type { DirectusBackend } from '../../content/directus/directus-backend.ts';
import { directusImportJobs, ImportFailed, type ImportDeps, type ImportRow } from './import.ts';
import { ImportPace } from './import-pace.ts';
import { listAudienceFields, listOptOutFields } from './imports.queries.ts';
import { createRemoteBatches } from './remote-batches.ts';
import { toImportedFields } from './remote-collection.ts';
import type { ImportedCollection } from './open-import.ts';
import type { HandleBatch, ImportTarget } from './import-file.ts';
import { giveUp, runImport } from './run-import.ts';

/** Once an import is this old, a failure of its Directus fails it instead of being retried. */
const maxHours = 24;

/** Runs imports into a Directus. They mostly wait for it, so they need no separate process. */
export const handleDirectusImports = (deps: ImportDeps & DirectusDeps): JobHandler =>
  handleJobs(directusImportJobs, {
    run: (job, signal) => {
      // They use little CPU, so they do not yield to sends.
      const pace = new ImportPace();
      return runImport({ ...deps, pace, job, signal }, (row) => openTarget(deps, row, job.attempts));
    },
    giveUp: (job) => giveUp(deps, job),
    // Attempts without progress in between.
    maxAttempts: 10,
    delaysMs: [1_000, 5_000, 30_000, 60_000, 300_000],
    concurrency: 4,
    perOrganization: 1,
  });

function openTarget(deps: ImportDeps & DirectusDeps, row: ImportRow, attempts: number): ImportTarget {
  let backend: DirectusBackend | undefined;
  const handle =
    (isStoring: boolean): HandleBatch =>
    (...batch) =>
      createRemoteBatches({ backend: backend!, isStoring, attempts })(...batch);
  return {
    describe: async (): Promise<ImportedCollection> => {
      backend = await open(deps, row);
      if (!(await backend.canWrite(row.collection))) throw new ImportFailed(importError('no_write_access'));
      return await describe(deps, backend, row);
    },
    // A batch is several requests, followed by one transaction.
    maxRows: 500,
    check: () => handle(false),
    store: handle(true),
    explain: (error) => {
      const failure = describeFailure(error);
      if (failure === undefined) return undefined;
      const isLasting = failure.isLasting || Date.now() - Date.parse(row.created_at) > maxHours * 3_600_000;
      const code = isLasting ? 'backend_failed' : 'backend_waiting';
      return { error: importError(code, { detail: failure.message }), isLasting };
    },
  };
}

async function open(deps: ImportDeps & DirectusDeps, row: ImportRow): Promise<DirectusBackend> {
  const { organization_id: organizationId, endpoint } = row;
  const run = <T>(work: (trx: Transaction) => Promise<T>) => inOrganization(deps.db, organizationId, work);
  return await openContacts(deps, organizationId, endpoint!, run, { isAwaited: false });
}

async function describe(
  { db }: ImportDeps,
  backend: DirectusBackend,
  { organization_id: organizationId, collection, settings }: ImportRow,
): Promise<ImportedCollection> {
  const fields = toImportedFields(await backend.listFields(collection), settings.key_field);
  const { optOuts, audienceFields } = await inOrganization(db, organizationId, async (trx) => ({
    optOuts: await listOptOutFields(trx, organizationId, collection),
    audienceFields: await listAudienceFields(trx, organizationId, collection),
  }));
  const isProtected = new Set(['unsubscribed', ...optOuts]);
  const protectedFields = fields
    .filter(({ name, type }) => type === 'boolean' && isProtected.has(name))
    .map(({ name }) => name);
  return { fields, protectedFields, audienceFields };
}
