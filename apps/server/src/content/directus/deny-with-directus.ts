import { apiError } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isDirectusConnected } from './connection.queries.ts';

/**
 * For what only the built-in backend can do.
 * @throws 424 `backend_failed` while a Directus is connected
 */
export async function denyWithDirectus(trx: Transaction, organizationId: string): Promise<void> {
  if (await isDirectusConnected(trx, organizationId)) {
    const message = 'Only the built-in content backend can do this.';
    throw apiError('backend_failed', { failure: 'built_in_only', message });
  }
}
