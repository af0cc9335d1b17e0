import type { AudienceBreakdown } from '@reachout/contract/filters.ts';
import type { Audience } from '../../content/audiences/audience.ts';
import { restoreAudience } from '../../content/audiences/restore-audience.ts';
import { validateAudience, toBreakdown } from '../../content/audiences/count-audience.ts';
import { withoutNestedLoops, type Transaction } from '../../platform/database/database.ts';
import { insertFailed, insertSnapshot, type SnapshotTarget } from './audience-snapshot.queries.ts';

/**
 * Writes the audience of a send into `deliveries` (seq 1 to n, one for each address) and `delivery_chunks`, and who is
 * excluded, with the reason, into `delivery_exclusions`.
 * @returns the breakdown of exactly what was written: `will_receive` is n
 * @throws UnusableAudience where this release cannot read what another one stored
 */
export async function snapshotAudience(
  trx: Transaction,
  organizationId: string,
  stored: Audience,
  target: SnapshotTarget,
): Promise<AudienceBreakdown> {
  const audience = await restoreAudience(trx, organizationId, stored);
  const validated = await validateAudience(trx, organizationId, audience);
  return toBreakdown(
    await withoutNestedLoops(trx, () => insertSnapshot(trx, organizationId, validated, target)),
  );
}

/**
 * The same for a follow-up: those whose delivery failed in its parent, but for contacts that are deleted, have another address
 * or are unsubscribed by now. What is suppressed by now gets no message.
 */
export async function snapshotFailed(
  trx: Transaction,
  organizationId: string,
  { parentId, audience }: { parentId: string; audience: Audience },
  target: SnapshotTarget,
): Promise<AudienceBreakdown> {
  const restored = await restoreAudience(trx, organizationId, audience);
  // A contact that the rule selected then need not match it any more.
  const contacts = { ...restored, rule: { kind: 'all' as const, nodes: [] } };
  const from = { parentId, contacts: await validateAudience(trx, organizationId, contacts) };
  return toBreakdown(await withoutNestedLoops(trx, () => insertFailed(trx, organizationId, from, target)));
}
