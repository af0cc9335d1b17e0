import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { listTestsTo, lockIdleTest, type TestKey } from '../../queue/erase-tests.ts';
import { eraseRow, eraseRows } from './erase-rows.ts';
import { listOldTests } from './erase.queries.ts';

/** Far more than the rows that a test has in any table. */
const batchRows = 100;

/** Erases tests sent 30 or more days ago: each contains an email and a member's address. @returns the number of tests */
export async function eraseOldTests(db: Database, limit: number): Promise<number> {
  const tests = await listOldTests(db, limit);
  for (const test of tests) await inOrganization(db, test.organization_id, (trx) => eraseTest(trx, test));
  return tests.length;
}

/** Erases the tests sent to an address, in the transaction's organization. */
export async function eraseTestsTo(trx: Transaction, address: string): Promise<void> {
  for (const test of await listTestsTo(trx, address)) await eraseTest(trx, test);
}

/** Erases a test in one transaction, unless a worker is sending it right now. */
async function eraseTest(trx: Transaction, { organization_id, send_id }: TestKey): Promise<void> {
  if (!(await lockIdleTest(trx, send_id))) return;
  await eraseRows(batchRows, (work) => work(trx), { organization_id, by: ['send', send_id] });
  await eraseRow(trx, 'touchpoint_sends', { organization_id, id: send_id });
}
