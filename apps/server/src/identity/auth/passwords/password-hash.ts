import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { unavailable } from '../../../platform/http/api-error.ts';
import { siteOf } from '../../../platform/rate-limits/rate-limits.ts';
import { createTurns, NoTurn } from '../../../platform/concurrency-limiter.ts';

/** A hash takes a core and 32 MB for a good while, and anybody may ask for one. */
const waitMs = 5_000;
/** Of one network two wait or run at once, so that however many it asks for, it has two places in the line of all. */
const ofNetwork = createTurns({ atOnce: 2, waiting: 20, waitMs });
const ofAll = createTurns({ atOnce: availableParallelism(), waiting: 200, waitMs });

/**
 * A password's hash, when it is this network's turn.
 * @throws 503 `unavailable`
 */
export const hashInTurn = (network: string, password: string): Promise<string> =>
  inTurn(network, () => hashPassword(password));

/**
 * Whether a password is the one with this hash, when it is this network's turn.
 * @throws 503 `unavailable`
 */
export const verifyInTurn = (network: string, given: { hash: string; password: string }): Promise<boolean> =>
  inTurn(network, () => verifyPassword(given));

async function inTurn<T>(network: string, work: () => Promise<T>): Promise<T> {
  try {
    return await ofNetwork(siteOf(network), () => ofAll('', work));
  } catch (error) {
    if (error instanceof NoTurn) throw unavailable(waitMs / 1_000);
    throw error;
  }
}
