import { transactionAs } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { listErasableCollections, listErasableOrganizations, listErasableRecords } from './erase.queries.ts';
import { eraseOldTests } from './erase-tests.ts';
import {
  eraseDeletedCollection,
  eraseOrganization,
  eraseRecord,
  NothingToDo,
  repeatWhileFull,
  type EraseDeps,
} from './erase.ts';
import { expired } from './expired.ts';
import { maintainPartitions, type PartitionFaults } from './partitions.ts';

/** How many organizations, records and collections one round erases at most; the others follow in the next. */
const maxErasedPerRun = 100;

/** Each is a transaction of its own. */
const testsPerBatch = 100;

/** Steps, by what they erase. */
const organizations = 'deleted organizations';
const records = 'deleted records';
const collections = 'deleted collections';

/**
 * One round: deletes what is only kept for a while, and erases what was deleted long ago. A step that fails does not keep
 * the others from being done.
 * @returns the steps that failed
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

  for (const [what, deleteSome] of Object.entries(expired))
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

  await run(organizations, {}, async () => {
    for (const organization of await listErasableOrganizations(db, maxErasedPerRun))
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
