import { abilityFor, type Action, type Subject } from '@reachout/contract/abilities.ts';
import { forbidden, notFound, notSignedIn, organizationSuspended } from '../platform/call-error.ts';
import type { Database } from '../platform/database/database.ts';
import { isUuid } from '../platform/ids.ts';
import { findMembership } from './membership.queries.ts';
import { transactionInTurn } from './transaction-in-turn.ts';

/**
 * Decides over requests that are no calls of the contract, such as uploads, by the same rules and in the same order as
 * `authorize` in calls.ts: signed in, member, abilities, organization not suspended (TEN-1, TEN-2).
 * @throws the errors that calls give: 401, 404, 403 `forbidden` or `organization_suspended`
 */
export async function authorizeRequest(
  db: Database,
  request: {
    userId: string | undefined;
    organizationId: string;
    needs: readonly (readonly [Action, Subject])[];
    isUnsafe: boolean;
  },
): Promise<{ userId: string; organizationId: string }> {
  const { userId, organizationId, needs, isUnsafe } = request;
  if (userId === undefined) throw notSignedIn();
  if (!isUuid(organizationId)) throw notFound();
  const membership = await transactionInTurn(db, { userId }, (trx) =>
    findMembership(trx, 'organizations', organizationId),
  );
  if (membership === undefined) throw notFound();

  const ability = abilityFor(membership.role);
  for (const [action, subject] of needs) {
    if (!ability.can(action, subject)) throw forbidden(action, subject);
  }
  if (isUnsafe && membership.status === 'suspended') throw organizationSuspended();
  return { userId, organizationId: membership.organization_id };
}
