import { unavailable } from '../../platform/http/api-error.ts';
import {
  transactionAs,
  type Actor,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { createTurns, NoTurn } from '../../platform/concurrency-limiter.ts';

/**
 * Connections that the operations of one person, and of one organization, may hold at once, out of ten: whatever they
 * ask for, the others go on. The wait is that for a connection.
 */
const inTurn = createTurns({ atOnce: 4, waiting: 200, waitMs: 5_000 });

/**
 * `transactionAs` for the operations of people.
 * @throws 503 `unavailable` when too much of this person or organization is under way already
 */
export async function transactionInTurn<T>(
  db: Database,
  actor: Actor,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const { userId, organizationId } = actor;
  const run = () => transactionAs(db, actor, work);
  const runForOrganization = () =>
    organizationId === undefined ? run() : inTurn(`organization ${organizationId}`, run);
  try {
    return await (userId === undefined ? runForOrganization() : inTurn(`user ${userId}`, runForOrganization));
  } catch (error) {
    if (error instanceof NoTurn) throw unavailable();
    throw error;
  }
}
