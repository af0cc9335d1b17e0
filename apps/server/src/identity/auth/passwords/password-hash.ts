import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { unavailable } from '../../../platform/http/api-error.ts';
import { sitePrefixOf } from '../../../platform/rate-limits/rate-limits.ts';
import { createConcurrencyLimiter, LimitExceeded } from '../../../platform/concurrency-limiter.ts';

/** A hash takes a core and 32 MB for a good while, and anybody may ask for one. */
const maxWaitMs = 5_000;
/** Of one network two wait or run at once, so that however many it asks for, it has two places in the line of all. */
const limitPerIpPrefix = createConcurrencyLimiter({ maxConcurrent: 2, maxQueued: 20, maxWaitMs });
const limitOverall = createConcurrencyLimiter({
  maxConcurrent: availableParallelism(),
  maxQueued: 200,
  maxWaitMs,
});

/**
 * A password's hash, within the limit of this IP prefix.
 * @throws 503 `unavailable`
 */
export const hashPasswordLimited = (ipPrefix: string, password: string): Promise<string> =>
  limited(ipPrefix, () => hashPassword(password));

/**
 * Whether a password is the one with this hash, within the limit of this IP prefix.
 * @throws 503 `unavailable`
 */
export const verifyPasswordLimited = (
  ipPrefix: string,
  given: { hash: string; password: string },
): Promise<boolean> => limited(ipPrefix, () => verifyPassword(given));

async function limited<T>(ipPrefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await limitPerIpPrefix(sitePrefixOf(ipPrefix), () => limitOverall('', work));
  } catch (error) {
    if (error instanceof LimitExceeded) throw unavailable(maxWaitMs / 1_000);
    throw error;
  }
}
