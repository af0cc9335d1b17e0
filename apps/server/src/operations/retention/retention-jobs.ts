import { inOrganization, transactionAs, type Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import {
  handleRecurringJob,
  JobInterrupted,
  RetryLater,
  type JobHandler,
} from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { maintainPartitions, type PartitionFaults } from './partitions.ts';
import { listErasableCollections, listErasableOrganizations, listErasableRecords } from './erase.queries.ts';
import { eraseRows, repeatBesideFolds, repeatWhileFull, type Step } from './erase-rows.ts';
import { eraseOldTests } from './erase-tests.ts';
import {
  eraseDeletedCollection,
  eraseOrganization,
  eraseRecord,
  NothingToDo,
  type EraseDeps,
} from './erase.ts';
import { eraseOldVisits, listOldVisits } from '../../events/erase-visitors.ts';
import { deleteOldVisitorContacts } from '../../contacts/people/erase-contact.ts';
import {
  deleteOldLinks,
  forgetOldVisitors,
  listOrganizationsWithOldLinks,
  listRemovedGoals,
} from '../../insight/conversions/erase-conversions.ts';
import { expireDataRequests } from '../data-requests/data-request-jobs.ts';
import { expired } from './expired.ts';

/** Small enough not to block other transactions. */
const rowsAtOnce = 2_000;

/** Deletes expired data every few minutes, on one worker at a time. Stops after the current batch. */
export const handleRetention = (deps: {
  db: Database;
  log: Log;
  files: FileStore;
  partitionFaults: PartitionFaults;
}): JobHandler =>
  handleRecurringJob('retention', 5 * 60_000, async (_job, signal) => {
    const failed = await runRetention({ ...deps, batchRows: rowsAtOnce, signal });
    if (signal.aborted) throw new JobInterrupted();
    if (failed.length > 0) throw new RetryLater(`These steps failed: ${failed.join(', ')}.`);
  });

/** Maximum organizations, records and collections (each) erased per run; the next run erases the rest. */
const maxErasedPerRun = 100;

/** Tests per batch; each test has its own transaction. */
const testsPerBatch = 100;

/** Step names. */
const organizations = 'deleted organizations';
const records = 'deleted records';
const collections = 'deleted collections';
const visits = 'old visits';
const conversions = 'old links and removed goals';

/**
 * Runs all retention steps: deletes rows with limited retention and erases records deleted long ago. A failed step does not
 * prevent the others.
 * @returns the failed steps
 */
export async function runRetention(
  deps: EraseDeps & { log: Log; partitionFaults: PartitionFaults },
): Promise<string[]> {
  const { db, log, batchRows, signal, partitionFaults } = deps;
  const failed = new Set<string>();
  const run = async (what: string, about: object, work: () => Promise<void>): Promise<void> => {
    if (signal.aborted) return;
    try {
      await work();
    } catch (error) {
      if (error instanceof NothingToDo) return;
      failed.add(what);
      log.warn({ err: error, what, ...about }, 'retention step failed');
    }
  };

  await run('partitions', {}, () => maintainPartitions(db, log, partitionFaults));

  const stepsOf =
    (organizationId: string): Step =>
    async (work) =>
      await inOrganization(db, organizationId, async (trx) => {
        if (signal.aborted) throw new NothingToDo();
        return await work(trx);
      });

  for (const [what, deleteSome] of expired)
    await run(what, {}, () =>
      repeatWhileFull(batchRows, () =>
        transactionAs(db, {}, async (trx) => {
          if (signal.aborted) throw new NothingToDo();
          return await deleteSome(trx, batchRows);
        }),
      ),
    );

  await run('tests', {}, () =>
    repeatWhileFull(testsPerBatch, async () => {
      if (signal.aborted) throw new NothingToDo();
      return await eraseOldTests(db, testsPerBatch);
    }),
  );

  await run(visits, {}, async () => {
    for (const old of await listOldVisits(db, maxErasedPerRun))
      await run(visits, { touchpoint: old.touchpoint_id }, async () => {
        const step = stepsOf(old.organization_id);
        // Visits last: a website without old ones is not listed again.
        for (const deleteBatch of [deleteOldVisitorContacts, forgetOldVisitors, eraseOldVisits])
          await repeatBesideFolds(batchRows, () => step((trx) => deleteBatch(trx, old, batchRows)));
      });
  });

  await run(conversions, {}, async () => {
    for (const organization of await listOrganizationsWithOldLinks(db, maxErasedPerRun))
      await run(conversions, { organization }, () =>
        repeatWhileFull(batchRows, () => stepsOf(organization)((trx) => deleteOldLinks(trx, batchRows))),
      );
    for (const { organization_id, goal_id } of await listRemovedGoals(db, maxErasedPerRun))
      await run(conversions, { goal: goal_id }, () =>
        eraseRows(batchRows, stepsOf(organization_id), { organization_id, by: ['goal', goal_id] }),
      );
  });

  await run('requests of persons', {}, () => expireDataRequests(db));

  await run(organizations, {}, async () => {
    for (const { organization_id: organization } of await listErasableOrganizations(db, maxErasedPerRun))
      await run(organizations, { organization }, async () => {
        await eraseOrganization(deps, organization);
        log.info({ organization }, 'deleted organization was erased');
      });
  });
  await run(records, {}, async () => {
    for (const record of await listErasableRecords(db, maxErasedPerRun))
      await run(records, { record: record.record_id, kind: record.kind }, () => eraseRecord(deps, record));
  });
  await run(collections, {}, async () => {
    for (const collection of await listErasableCollections(db, maxErasedPerRun))
      await run(collections, collection, () => eraseDeletedCollection(deps, collection));
  });
  return [...failed];
}
