import { ORPCError } from '@orpc/contract';
import { apiError } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { RateLimits } from '../access/rate-limits.ts';
import { lockUser } from '../auth/users/credentials.queries.ts';
import { listMyOrganizations } from './organization.queries.ts';

/**
 * Maximum organizations per owner. Each has a content backend, roles and sends, and an audit log that records every
 * sign-in of its members.
 */
const maxOwned = 20;

/**
 * Counts a newly created organization, in the transaction that creates it: one over the limit is rolled back. Locks the
 * user until the transaction ends, so that concurrent requests are counted.
 * @throws 409 `too_many_organizations`
 */
export async function countNewOrganization(
  trx: Transaction,
  limits: RateLimits,
  userId: string,
): Promise<void> {
  await lockUser(trx, userId);
  const owned = (await listMyOrganizations(trx)).filter(({ role }) => role === 'owner');
  if (owned.length > maxOwned) throw tooManyOrganizations(`You own ${maxOwned} organizations already.`);
  try {
    // Also counts organizations that were deleted since.
    await limits.count(['organizations_of_person', userId]);
  } catch (error) {
    if (!(error instanceof ORPCError) || error.status !== 429) throw error;
    throw tooManyOrganizations('You have created many organizations within a day. Wait until tomorrow.');
  }
}

const tooManyOrganizations = (message: string) => apiError('too_many_organizations', undefined, message);
