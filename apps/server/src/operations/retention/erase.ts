import type { Database, Transaction } from '../../platform/database/database.ts';
import { inOrganization } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { removeFilesOf } from '../../identity/storage/remove-files.ts';
import { keyOf, parseStoredUrl } from '../../identity/storage/stored-path.ts';
import { eraseTemplatesOf, listCollectionsOf } from '../../content/built-in/erase-items.ts';
import { listImportsOfCollection } from '../../contacts/imports/erase-imports.ts';
import { lockOutFolds } from '../../events/erase-visitors.ts';
import { eraseOrganizationItself } from '../../identity/organizations/erase-organization.ts';
import { releaseFilters } from '../../outreach/channels/email/erase-touchpoint-emails.ts';
import { releaseConversions } from '../../insight/conversions/erase-conversions.ts';
import { eraseLateRows, eraseRow, eraseRows, repeatWhileFull, type Erased, type Step } from './erase-rows.ts';
import {
  findBelow,
  listLogoUrls,
  lockDeleted,
  lockDeletedCollection,
  lockOutEvents,
  type ErasableCollection,
  type ErasableRecord,
} from './erase.queries.ts';

// The order in which rows, files and records are erased, and the locks. Which rows: erased-tables.ts. Done here are files, columns
// that lose their value in rows that stay, and templates, whose number and changes are counted.

export interface EraseDeps {
  db: Database;
  files: FileStore;
  /** Stops after the current batch; the next run continues from there. */
  signal: AbortSignal;
  /** Maximum rows deleted per transaction. */
  batchRows: number;
}

/** The worker is to stop, or the record to erase no longer exists. */
export class NothingToDo extends Error {
  override name = 'NothingToDo';
}

/**
 * Erases an organization: its rows, its stored files, then the organization itself. A later run
 * resumes after an interruption.
 * @throws NothingToDo; FileStoreFailure
 */
export async function eraseOrganization(deps: EraseDeps, organizationId: string): Promise<void> {
  const step = stepsOf(deps, organizationId, (trx) => lockDeleted(trx, 'organizations', organizationId));
  const organization = { organization_id: organizationId };
  await eraseRows(deps.batchRows, step, organization);
  await removeFilesOf(deps.files, { organizationId });
  await step(async (trx) => {
    await lockOutFolds(trx);
    await eraseOrganizationItself(trx, organizationId);
    // Links in messages work until then.
    await eraseLateRows(deps.batchRows, trx, organization);
  });
}

/**
 * Erases a client, brand, campaign or touchpoint with all its descendants.
 * @throws as `eraseOrganization`
 */
export async function eraseRecord(deps: EraseDeps, record: ErasableRecord): Promise<void> {
  const { organization_id, kind, record_id: id } = record;
  const step = stepsOf(deps, organization_id, (trx) => lockDeleted(trx, kind, id));
  for (;;) {
    const send = await step((trx) => findBelow(trx, 'touchpoint_sends', record));
    if (send === undefined) break;
    await eraseSend(deps, record, send, step);
  }
  for (;;) {
    const website = await step((trx) => findBelow(trx, 'touchpoint_websites', record));
    if (website === undefined) break;
    await eraseWebsite(deps, organization_id, website, step);
  }
  if (kind === 'clients' || kind === 'brands') {
    for (const collection of await step((trx) => listCollectionsOf(trx, organization_id, { kind, id })))
      await eraseCollection(deps, { organization_id, collection }, step);
    await step((trx) => eraseTemplatesOf(trx, organization_id, { kind, id }));
  }
  for (const url of await step((trx) => listLogoUrls(trx, record))) {
    const stored = parseStoredUrl(url);
    if (stored?.ownerId === organization_id) await deps.files.remove(keyOf(stored));
  }
  await step(async (trx) => {
    if (kind === 'clients' || kind === 'brands') await releaseFilters(trx, organization_id, { kind, id });
    await eraseRow(trx, kind, { organization_id, id });
  });
}

/**
 * Erases the content of a deleted collection.
 * @throws NothingToDo
 */
export async function eraseDeletedCollection(deps: EraseDeps, collection: ErasableCollection): Promise<void> {
  const step = stepsOf(deps, collection.organization_id, (trx) => lockDeletedCollection(trx, collection));
  await eraseCollection(deps, collection, step);
  await step((trx) => eraseRow(trx, 'deleted_collections', { ...collection }));
}

async function eraseSend(
  { db, signal, batchRows }: EraseDeps,
  record: ErasableRecord,
  send: { id: string; touchpoint_id: string },
  step: Step,
): Promise<void> {
  const { organization_id } = record;
  const bySend: Erased = { organization_id, by: ['send', send.id] };
  // Covers all sends of the touchpoint, because all of them are erased.
  const byEmail: Erased = { organization_id, by: ['email', send.touchpoint_id] };
  const release = (inStep: Step) =>
    repeatWhileFull(batchRows, () =>
      inStep((trx) => releaseConversions(trx, { organization_id, ...send }, batchRows)),
    );
  await eraseRows(batchRows, step, bySend);
  await eraseRows(batchRows, step, byEmail);
  await release(step);
  const lastStep = stepsOf({ db, signal }, organization_id, async (trx) => {
    await lockOutEvents(trx, organization_id);
    return await lockDeleted(trx, record.kind, record.record_id);
  });
  await lastStep(async (trx) => {
    await eraseRow(trx, 'touchpoint_sends', { organization_id, id: send.id });
    // Links in messages work until then.
    await eraseLateRows(batchRows, trx, bySend);
    await eraseLateRows(batchRows, trx, byEmail);
    await release((work) => work(trx));
  });
}

async function eraseWebsite(
  { batchRows }: EraseDeps,
  organization_id: string,
  { touchpoint_id }: { touchpoint_id: string },
  step: Step,
): Promise<void> {
  const website: Erased = { organization_id, by: ['website', touchpoint_id] };
  await eraseRows(batchRows, step, website);
  await step(async (trx) => {
    await lockOutFolds(trx);
    await eraseRow(trx, 'touchpoint_websites', { organization_id, touchpoint_id });
    // What is appended from now on is dropped when it is folded.
    await eraseLateRows(batchRows, trx, website);
  });
}

/** Erases the items of a collection with what is stored about them, and its imports. Its own row goes with its owner. */
async function eraseCollection(
  { batchRows }: EraseDeps,
  { organization_id, collection }: ErasableCollection,
  step: Step,
): Promise<void> {
  for (const id of await step((trx) => listImportsOfCollection(trx, organization_id, collection)))
    await eraseRows(batchRows, step, { organization_id, by: ['import', id] });
  await eraseRows(batchRows, step, { organization_id, by: ['collection', collection] });
}

/** @param lock  keeps what is partly erased from being restored, in each of the short transactions; false ends them */
const stepsOf =
  (
    { db, signal }: Pick<EraseDeps, 'db' | 'signal'>,
    organizationId: string,
    lock: (trx: Transaction) => Promise<boolean>,
  ): Step =>
  async (work) => {
    if (signal.aborted) throw new NothingToDo();
    return await inOrganization(db, organizationId, async (trx) => {
      if (!(await lock(trx))) throw new NothingToDo();
      return await work(trx);
    });
  };
