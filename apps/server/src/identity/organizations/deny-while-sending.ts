import { apiError } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { hasOpenSend, type SendOwner } from './open-sends.queries.ts';

/**
 * Nothing disappears under a send that is scheduled, under way or paused. Call it after
 * the change of the record: the start of a send holds all records above it, so the change waits for it, and what it
 * started is seen here.
 * @throws 409 `send_in_progress`
 */
export async function denyWhileSending(trx: Transaction, owner: SendOwner, id: string): Promise<void> {
  if (await hasOpenSend(trx, owner, id)) {
    throw apiError('send_in_progress');
  }
}
