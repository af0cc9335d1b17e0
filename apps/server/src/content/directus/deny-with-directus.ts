import type { Transaction } from '../../platform/database/database.ts';
import { isDirectusConnected } from './connection.queries.ts';
import { builtInOnly } from './directus-error.ts';

/**
 * Guards operations that only the built-in backend supports.
 * @throws 424 `backend_failed` while a Directus is connected
 */
export async function denyWithDirectus(trx: Transaction, organizationId: string): Promise<void> {
  if (await isDirectusConnected(trx, organizationId)) throw builtInOnly();
}
