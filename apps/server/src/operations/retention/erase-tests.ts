import { eraseTest, listTestsTo } from '../../queue/erase-tests.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { mailboxRows } from '../mailbox/mailbox.queries.ts';
import { listOldTests } from './erase.queries.ts';

/** Erases tests sent 30 or more days ago: each contains an email and a member's address. @returns the number of tests */
export async function eraseOldTests(db: Database, limit: number): Promise<number> {
  const tests = await listOldTests(db, limit);
  for (const test of tests)
    await inOrganization(db, test.organization_id, (trx) => eraseTest(trx, test, mailboxRows));
  return tests.length;
}

/** Erases the tests sent to an address, in the transaction's organization. */
export async function eraseTestsTo(trx: Transaction, address: string): Promise<void> {
  for (const test of await listTestsTo(trx, address)) await eraseTest(trx, test, mailboxRows);
}
