import type { AudienceBreakdown } from '@reachout/contract/filters.ts';
import type { StoredAudience } from '../contacts/audiences/audience.ts';
import type { ContactRows } from '../contacts/audiences/audience-sql.ts';
import { restoreAudience } from '../contacts/audiences/find-audience.ts';
import { validateAudience, toBreakdown } from '../contacts/audiences/count-audience.ts';
import { withoutNestedLoops, type Transaction } from '../platform/database/database.ts';
import { insertFailed } from './follow-up-snapshot.queries.ts';
import { insertSnapshot } from './audience-snapshot.queries.ts';
import type { SnapshotTarget } from './snapshot-statements.queries.ts';

export interface AudienceSnapshot {
  /** Counts the rows that were written: `will_receive` is the number of deliveries. */
  breakdown: AudienceBreakdown;
  /** Domains that are in the lane `other` until their group is looked up, or whose group may be outdated. */
  unknownDomains: string[];
}

/**
 * Writes the audience of a send into `deliveries` (seq 1 to n, one per address) and `delivery_chunks`, and the excluded
 * contacts with their reasons into `delivery_exclusions`.
 * @throws UnusableAudience if this release cannot read an audience stored by another release
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
 * The same for a follow-up: the contacts whose delivery failed in the parent, except those that have been deleted, have
 * changed their address, or get no email any more.
 */
export async function snapshotFailed(
  trx: Transaction,
  organizationId: string,
  { parentId, audience, rows }: { parentId: string; audience: StoredAudience; rows: ContactRows },
  target: SnapshotTarget,
): Promise<AudienceSnapshot> {
  const restored = await restoreAudience(trx, organizationId, audience);
  // A contact that matched the rule of the parent no longer has to match it.
  const contacts = { ...restored, rule: { kind: 'all' as const, nodes: [] } };
  const from = { parentId, contacts: await validateAudience(trx, organizationId, contacts, rows) };
  const tally = await withoutNestedLoops(trx, () => insertFailed(trx, organizationId, from, target));
  // The parent send has already reported its unknown domains.
  return { breakdown: toBreakdown(tally), unknownDomains: [] };
}
