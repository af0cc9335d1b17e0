import { setTimeout } from 'node:timers/promises';
import { lockOutFolds } from '../../events/erase-visitors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { deleteRowsOf } from '../../platform/database/delete-rows.ts';
import type { DB } from '../../platform/database/types.gen.ts';
import { columnIn, erasedTables, type ErasedKind } from './erased-tables.ts';

// Deletes rows of all modules by the list of erased-tables.ts, as scripts/check-table-owners.ts lets it.

/** Whose rows are erased: all of an organization, or those that name something in it. */
export interface Erased {
  organization_id: string;
  by?: readonly [ErasedKind, id: string];
}

/** Runs one short transaction, or is within the transaction of the caller. */
export type Step = <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;

/** Deletes the listed rows, each batch in a step. */
export async function eraseRows(batchRows: number, step: Step, erased: Erased): Promise<void> {
  for (const { table, blocksFolds } of tablesOf(erased)) {
    const repeat = blocksFolds ? repeatBesideFolds : repeatWhileFull;
    await repeat(batchRows, () =>
      step(async (trx) => {
        if (blocksFolds) await lockOutFolds(trx);
        return await deleteRowsOf(table)(trx, valuesOf(table, erased), batchRows);
      }),
    );
  }
}

/** Deletes rows that were stored since those batches, in the transaction that deletes what they name. */
export async function eraseLateRows(batchRows: number, trx: Transaction, erased: Erased): Promise<void> {
  for (const { table } of tablesOf(erased).filter(({ comesLate }) => comesLate))
    await repeatWhileFull(batchRows, () => deleteRowsOf(table)(trx, valuesOf(table, erased), batchRows));
}

/** Deletes the row of something erased, with all that its foreign keys reach. */
export async function eraseRow(
  trx: Transaction,
  table: keyof DB,
  key: Readonly<Record<string, string>>,
): Promise<void> {
  await deleteRowsOf(table)(trx, key, 1);
}

const tablesOf = ({ by }: Erased) =>
  erasedTables.flatMap(({ tables, ...rule }) =>
    by === undefined || rule.with.includes(by[0]) ? tables.map((table) => ({ table, ...rule })) : [],
  );

const valuesOf = (table: keyof DB, { organization_id, by }: Erased): Readonly<Record<string, string>> => ({
  organization_id,
  ...(by !== undefined && { [columnIn(table, by[0])]: by[1] }),
});

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
