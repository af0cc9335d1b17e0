import { setTimeout } from 'node:timers/promises';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { inOrganization } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { removeFilesOf } from '../../identity/storage/remove-files.ts';
import { keyOf, parseStoredUrl } from '../../identity/storage/stored-path.ts';
import type { DeleteBatchOf } from '../../platform/database/delete-rows.ts';
import { eraseBrand } from '../../clients/brands/erase-brand.ts';
import { eraseClient } from '../../clients/clients/erase-client.ts';
import { deletedCollectionRow, itemRows } from '../../content/built-in/erase-items.ts';
import { noteRows, visitorContactRows } from '../../contacts/people/erase-contact.ts';
import { importPartRows } from '../../contacts/imports/erase-imports.ts';
import { signUpRows } from '../../contacts/sign-ups/expired-sign-ups.ts';
import { deliveryRows, eraseSend } from '../../queue/erase-sends.ts';
import { consentRows } from '../../contacts/consent/address-records.ts';
import { eventCountRows, eventRows } from '../../events/erase-events.ts';
import { lockOutFolds, visitorRows } from '../../events/erase-visitors.ts';
import { eraseOrganizationItself } from '../../identity/organizations/erase-organization.ts';
import {
  releaseFilters,
  touchpointEmailRows,
} from '../../outreach/channels/email/erase-touchpoint-emails.ts';
import { websiteRow } from '../../outreach/channels/website/erase-website.ts';
import { eraseCampaign } from '../../outreach/campaigns/erase-campaign.ts';
import { eraseTouchpoint } from '../../outreach/touchpoints/erase-touchpoint.ts';
import { eraseCollectionContent, eraseContentOf } from './erase-content.ts';
import {
  conversionRows,
  followedLinkRows,
  releaseConversions,
} from '../../insight/conversions/erase-conversions.ts';
import { mailboxRows } from '../mailbox/mailbox.queries.ts';
import {
  findSendOf,
  findWebsiteOf,
  lockOutEvents,
  lockDeletedCollection,
  lockDeletedOrganization,
  lockDeletedRecord,
  listLogoUrls,
  type ErasableCollection,
  type ErasableRecord,
  type RecordKind,
} from './erase.queries.ts';

/** Message rows, up to millions, all found by their send. */
const ofSend: readonly DeleteBatchOf[] = [
  ...deliveryRows,
  mailboxRows,
  ...eventCountRows,
  visitorContactRows,
  followedLinkRows,
];

/** Tables with very many rows per organization. All others are deleted with the organization itself. */
const ofOrganization: readonly DeleteBatchOf[] = [
  ...ofSend,
  eventRows,
  ...itemRows,
  noteRows,
  ...importPartRows,
  consentRows,
  signUpRows,
  touchpointEmailRows,
];

const eraseRow: Readonly<Record<RecordKind, DeleteBatchOf>> = {
  clients: eraseClient,
  brands: eraseBrand,
  campaigns: eraseCampaign,
  touchpoints: eraseTouchpoint,
};

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
  const step = <T>(work: (trx: Transaction) => Promise<T>) =>
    inLockedTransaction(deps, organizationId, (trx) => lockDeletedOrganization(trx, organizationId), work);
  for (const deleteBatch of [...visitorRows, ...conversionRows])
    await repeatBesideFolds(deps.batchRows, () =>
      step((trx) => deleteBatch(trx, { organization_id: organizationId }, deps.batchRows)),
    );
  for (const deleteBatch of ofOrganization)
    await repeatWhileFull(deps.batchRows, () =>
      step((trx) => deleteBatch(trx, { organization_id: organizationId }, deps.batchRows)),
    );
  await removeFilesOf(deps.files, { organizationId });
  await step(async (trx) => {
    await lockOutFolds(trx);
    await eraseOrganizationItself(trx, organizationId);
    // Deletes rows stored since those batches: links in messages work until the organization is deleted.
    for (const deleteBatch of [
      ...eventCountRows,
      eventRows,
      ...visitorRows,
      followedLinkRows,
      ...conversionRows,
    ])
      await repeatWhileFull(deps.batchRows, () =>
        deleteBatch(trx, { organization_id: organizationId }, deps.batchRows),
      );
  });
}

/**
 * Erases a client, brand, campaign or touchpoint with all its descendants.
 * @throws as `eraseOrganization`
 */
export async function eraseRecord(deps: EraseDeps, record: ErasableRecord): Promise<void> {
  const { organization_id: organizationId } = record;
  const step: Step = (work) =>
    inLockedTransaction(deps, organizationId, (trx) => lockDeletedRecord(trx, record), work);
  for (;;) {
    const send = await step((trx) => findSendOf(trx, record));
    if (send === undefined) break;
    await eraseSendOf(deps, record, send, step);
  }
  for (;;) {
    const website = await step((trx) => findWebsiteOf(trx, record));
    if (website === undefined) break;
    await eraseWebsite(deps, website, step);
  }
  const { kind, record_id: id } = record;
  if (kind === 'clients' || kind === 'brands')
    await eraseContentOf(organizationId, { kind, id }, step, (deleteBatch, values) =>
      repeatWhileFull(deps.batchRows, () => step((trx) => deleteBatch(trx, values, deps.batchRows))),
    );
  for (const url of await step((trx) => listLogoUrls(trx, record))) {
    const stored = parseStoredUrl(url);
    if (stored?.ownerId === organizationId) await deps.files.remove(keyOf(stored));
  }
  await step(async (trx) => {
    if (kind === 'clients' || kind === 'brands') await releaseFilters(trx, organizationId, { kind, id });
    await eraseRow[kind](trx, { organization_id: organizationId, id }, 1);
  });
}

/**
 * Erases the content of a deleted collection.
 * @throws NothingToDo
 */
export async function eraseDeletedCollection(deps: EraseDeps, collection: ErasableCollection): Promise<void> {
  const step: Step = (work) =>
    inLockedTransaction(
      deps,
      collection.organization_id,
      (trx) => lockDeletedCollection(trx, collection),
      work,
    );
  await eraseCollectionContent(collection, step, (deleteBatch, values) =>
    repeatWhileFull(deps.batchRows, () => step((trx) => deleteBatch(trx, values, deps.batchRows))),
  );
  await step((trx) => deletedCollectionRow(trx, { ...collection }, 1));
}

type Step = <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;

async function eraseSendOf(
  deps: EraseDeps,
  record: ErasableRecord,
  send: { id: string; touchpoint_id: string },
  step: Step,
): Promise<void> {
  const { organization_id } = record;
  const bySend = { organization_id, send_id: send.id };
  // Covers all sends of the touchpoint, because all of them are erased.
  const byTouchpoint = { organization_id, touchpoint_id: send.touchpoint_id };
  const erase = (
    inTransaction: Step,
    deleteBatch: DeleteBatchOf,
    values: typeof bySend | typeof byTouchpoint,
  ) =>
    repeatWhileFull(deps.batchRows, () => inTransaction((trx) => deleteBatch(trx, values, deps.batchRows)));
  for (const deleteBatch of ofSend) await erase(step, deleteBatch, bySend);
  for (const eraseBatch of [eventRows, releaseConversions]) await erase(step, eraseBatch, byTouchpoint);
  const lock = async (trx: Transaction) => {
    await lockOutEvents(trx, organization_id);
    return await lockDeletedRecord(trx, record);
  };
  await inLockedTransaction(deps, organization_id, lock, async (trx) => {
    await eraseSend(trx, { organization_id, id: send.id }, 1);
    // Deletes rows stored since those batches: links in messages work until the send is deleted.
    const here: Step = (work) => work(trx);
    for (const deleteBatch of [...eventCountRows, followedLinkRows]) await erase(here, deleteBatch, bySend);
    for (const eraseBatch of [eventRows, releaseConversions]) await erase(here, eraseBatch, byTouchpoint);
  });
}

async function eraseWebsite(
  { batchRows }: EraseDeps,
  { organization_id, touchpoint_id }: { organization_id: string; touchpoint_id: string },
  step: Step,
): Promise<void> {
  const website = { organization_id, touchpoint_id };
  for (const deleteBatch of [...visitorRows, visitorContactRows, followedLinkRows, ...conversionRows])
    await repeatBesideFolds(batchRows, () => step((trx) => deleteBatch(trx, website, batchRows)));
  await step(async (trx) => {
    await lockOutFolds(trx);
    await websiteRow(trx, website, 1);
    // Deletes rows stored since those batches; what is appended from now on is dropped when it is folded.
    for (const deleteBatch of [...visitorRows, followedLinkRows, ...conversionRows])
      await repeatWhileFull(batchRows, () => deleteBatch(trx, website, batchRows));
  });
}

/** Runs a short transaction with a lock on the record, so that a partly erased record cannot be restored. */
async function inLockedTransaction<T>(
  { db, signal }: EraseDeps,
  organizationId: string,
  lock: (trx: Transaction) => Promise<boolean>,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw new NothingToDo();
  return await inOrganization(db, organizationId, async (trx) => {
    if (!(await lock(trx))) throw new NothingToDo();
    return await work(trx);
  });
}

const leastPauseMs = 50;

/**
 * As `repeatWhileFull`, for batches that block folds. These try again after a second and wait for nothing, so the batches
 * pause for as long as they take.
 */
export const repeatBesideFolds = (batchRows: number, deleteBatch: () => Promise<number>): Promise<void> =>
  repeatWhileFull(batchRows, async () => {
    const startedAt = performance.now();
    const deleted = await deleteBatch();
    if (deleted >= batchRows) await setTimeout(Math.max(leastPauseMs, performance.now() - startedAt));
    return deleted;
  });

/** Repeats until a batch is not full. */
export async function repeatWhileFull(batchRows: number, deleteBatch: () => Promise<number>): Promise<void> {
  while ((await deleteBatch()) >= batchRows);
}
