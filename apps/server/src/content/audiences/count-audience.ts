import type { AudienceCount, AudienceBreakdown } from '@reachout/contract/filters.ts';
import { exclusionReasons, type ExclusionReason } from '@reachout/contract/statuses.ts';
import { parseAddress } from '../../email/addresses/address.ts';
import { withoutNestedLoops, type Transaction } from '../../platform/database/database.ts';
import type { Audience } from './audience.ts';
import type { ValidatedAudience, AudienceTally } from './audience-sql.ts';
import { findUnusualDomains, selectSample, tallyAudience } from './audience.queries.ts';

/** How many the rule matches, how many of them are left out and why, and how many remain. */
export async function countAudience(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
): Promise<AudienceBreakdown> {
  const validated = await validateAudience(trx, organizationId, audience);
  return toBreakdown(await withoutNestedLoops(trx, () => tallyAudience(trx, organizationId, validated)));
}

/** The first contacts, by id, that will receive something. */
export async function sampleAudience(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  limit: number,
) {
  return await selectSample(
    trx,
    organizationId,
    await validateAudience(trx, organizationId, audience),
    limit,
  );
}

/** Both, for a rule that somebody is working on. */
export async function countWithSample(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  limit: number,
): Promise<AudienceCount> {
  const validated = await validateAudience(trx, organizationId, audience);
  const breakdown = toBreakdown(
    await withoutNestedLoops(trx, () => tallyAudience(trx, organizationId, validated)),
  );
  return { ...breakdown, sample: await selectSample(trx, organizationId, validated, limit) };
}

/** More domains than this in one audience are junk; the rest counts as invalid. */
const maxUnusualDomains = 20_000;

/** PostgreSQL has no UTS 46: the few domains that need it are translated here. */
export async function validateAudience(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
): Promise<ValidatedAudience> {
  const unusual = await findUnusualDomains(trx, organizationId, audience, maxUnusualDomains);
  const domains = unusual.flatMap((domain): [string, string][] => {
    const parsed = parseAddress(`a@${domain}`);
    return 'error' in parsed ? [] : [[domain, parsed.address.slice(2)]];
  });
  return { ...audience, domains: Object.fromEntries(domains) };
}

export function toBreakdown(tally: AudienceTally): AudienceBreakdown {
  const countOf = (reason: ExclusionReason | null) => tally.find((row) => row.reason === reason)?.count ?? 0;
  return {
    matched: tally.reduce((sum, { count }) => sum + count, 0),
    excluded: Object.fromEntries(exclusionReasons.map((reason) => [reason, countOf(reason)])) as Record<
      ExclusionReason,
      number
    >,
    will_receive: countOf(null),
  };
}
