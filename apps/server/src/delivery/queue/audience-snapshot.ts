import type { AudienceBreakdown } from '@reachout/contract/filters.ts';
import type { StoredAudience } from '../../content/audiences/audience.ts';
import type { ContactRows } from '../../content/audiences/audience-sql.ts';
import { restoreAudience } from '../../content/audiences/restore-audience.ts';
import { validateAudience, toBreakdown } from '../../content/audiences/count-audience.ts';
import { withoutNestedLoops, type Transaction } from '../../platform/database/database.ts';
import { insertFailed } from './follow-up-snapshot.queries.ts';
import { insertSnapshot } from './audience-snapshot.queries.ts';
import type { SnapshotTarget } from './snapshot-statements.queries.ts';

export interface AudienceSnapshot {
  /** Of exactly what was written: `will_receive` is the number of deliveries. */
  breakdown: AudienceBreakdown;
  /** Domains whose recipients are in the lane `other` until their group is looked up, or whose group may be outdated. */
  unknownDomains: string[];
}

/**
 * Writes the audience of a send into `deliveries` (seq 1 to n, one for each address) and `delivery_chunks`, and who is
 * excluded, with the reason, into `delivery_exclusions`.
 * @throws UnusableAudience where this release cannot read what another one stored
 */
export async function snapshotAudience(
  trx: Transaction,
  organizationId: string,
  stored: StoredAudience,
  target: SnapshotTarget,
  rows: ContactRows = 'collection',
): Promise<AudienceSnapshot> {
  const audience = await restoreAudience(trx, organizationId, stored);
  const validated = await validateAudience(trx, organizationId, audience, rows);
  const { tally, unknownDomains } = await withoutNestedLoops(trx, () =>
    insertSnapshot(trx, organizationId, validated, target),
  );
  return { breakdown: toBreakdown(tally), unknownDomains };
}

/**
 * The same for a follow-up: those whose delivery failed in its parent, but for contacts that are deleted, have another address
 * or are unsubscribed by now. What is suppressed by now gets no message.
 */
export async function snapshotFailed(
  trx: Transaction,
  organizationId: string,
  { parentId, audience, rows }: { parentId: string; audience: StoredAudience; rows: ContactRows },
  target: SnapshotTarget,
): Promise<AudienceSnapshot> {
  const restored = await restoreAudience(trx, organizationId, audience);
  // A contact that the rule selected then need not match it any more.
  const contacts = { ...restored, rule: { kind: 'all' as const, nodes: [] } };
  const from = { parentId, contacts: await validateAudience(trx, organizationId, contacts, rows) };
  const tally = await withoutNestedLoops(trx, () => insertFailed(trx, organizationId, from, target));
  // The send that it follows has named them.
  return { breakdown: toBreakdown(tally), unknownDomains: [] };
}
