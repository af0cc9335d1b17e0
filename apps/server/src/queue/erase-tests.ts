import type { Transaction } from '../platform/database/database.ts';
import { deliveryRows, eraseSend } from './erase-sends.ts';
import { lockIdleTest, type TestKey } from './test-sends.queries.ts';

export { listTestsTo } from './test-sends.queries.ts';

/** Far more than the rows that a test has in any table. */
const batchRows = 100;

/**
 * Erases a test, unless a worker is sending it right now.
 * @param eraseCopies  deletes its copies in the built-in mailbox
 */
export async function eraseTest(
  trx: Transaction,
  test: TestKey,
  eraseCopies: (trx: Transaction, test: Readonly<Record<string, string>>, limit: number) => Promise<unknown>,
): Promise<void> {
  if (!(await lockIdleTest(trx, test.send_id))) return;
  const bySend = { ...test };
  for (const deleteBatch of [...deliveryRows, eraseCopies]) await deleteBatch(trx, bySend, batchRows);
  await eraseSend(trx, { organization_id: test.organization_id, id: test.send_id }, 1);
}
