import { apiError } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { hasOpenSend, type SendOwner } from './open-sends.queries.ts';

/**
 * Prevents a change that would remove a record while a send below it is scheduled, running or paused. Call this after
 * the record was changed or locked: the start of a send locks all records above it, so the change waits for a starting
 * send, which this check then sees.
 * @throws 409 `send_in_progress`
 */
export async function denyWhileSending(trx: Transaction, owner: SendOwner, id: string): Promise<void> {
  if (await hasOpenSend(trx, owner, id)) {
    throw apiError('send_in_progress');
  }
}
