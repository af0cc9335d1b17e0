import { transactionAs } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { listErasableOrganizations, listErasableRecords, takeRetentionLock } from './erase.queries.ts';
import { eraseOrganization, eraseRecord, NothingToDo, repeatWhileFull, type EraseDeps } from './erase.ts';
import { expired } from './expired.ts';

/** How many organizations and records one round erases at most; the others follow in the next. */
const maxErasedPerRun = 100;

/**
 * One round: deletes what is only kept for a while, and erases what was deleted long ago. Of several workers that do
 * this at once, each step is done by one. A step that fails does not keep the others from being done.
 */
export async function runRetention(deps: EraseDeps & { log: Log }): Promise<void> {
  const { db, log, batchRows, signal } = deps;
  const run = async (what: Record<string, unknown>, work: () => Promise<void>): Promise<void> => {
    if (signal.aborted) return;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof NothingToDo)) log.warn({ err: error, ...what }, 'retention step failed');
    }
  };

  for (const [what, deleteSome] of Object.entries(expired))
    await run({ what }, () =>
      repeatWhileFull(batchRows, () =>
        transactionAs(db, {}, async (trx) => {
          if (signal.aborted || !(await takeRetentionLock(trx))) throw new NothingToDo();
          return await deleteSome(trx, batchRows);
        }),
      ),
    );

  await run({ what: 'deleted organizations' }, async () => {
    for (const organization of await listErasableOrganizations(db, maxErasedPerRun))
      await run({ organization }, async () => {
        await eraseOrganization(deps, organization);
        log.info({ organization }, 'deleted organization was erased');
      });
  });
  await run({ what: 'deleted records' }, async () => {
    for (const record of await listErasableRecords(db, maxErasedPerRun))
      await run({ record: record.record_id, kind: record.kind }, () => eraseRecord(deps, record));
  });
}
