import type { AudienceBreakdown, AudienceCount, WithoutValue } from '@reachout/contract/filters.ts';
import { exclusionReasons, type ExclusionReason } from '@reachout/contract/statuses.ts';
import type { ContactTest } from '../../email/email-content.ts';
import { parseAddress } from '../../email/addresses/address.ts';
import { withoutNestedLoops, type Transaction } from '../../platform/database/database.ts';
import { createBuiltInBackend } from '../../content/built-in/built-in-backend.ts';
import type { Audience } from './audience.ts';
import type { AudienceTally, ContactRows, ValidatedAudience } from './audience-sql.ts';
import {
  findUnusualDomains,
  selectSample,
  tallyAudience,
  tallyBrands,
  tallyZones,
} from './audience.queries.ts';
import { countWithoutValue } from './without-value.ts';

export interface CountedAudience {
  /** Number of matched contacts, of excluded ones by reason, and of remaining ones. */
  breakdown: AudienceBreakdown;
  /** Of the remaining contacts, those whose opens and clicks are not measured. */
  notMeasured: number;
  /** Number of remaining contacts for which each condition holds. */
  passed: number[];
}

/**
 * Counts an audience for its brand; the audience, email and review screens show these numbers. The audience snapshot of a
 * send has the same numbers, because all of them select from `selectValidated`.
 */
export async function countAudience(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  tests: readonly ContactTest[] = [],
  rows: ContactRows = 'collection',
): Promise<CountedAudience> {
  const validated = await validateAudience(trx, organizationId, audience, rows);
  return await countValidated(trx, organizationId, validated, tests);
}

async function countValidated(
  trx: Transaction,
  organizationId: string,
  validated: ValidatedAudience,
  tests: readonly ContactTest[],
): Promise<CountedAudience> {
  const tally = await withoutNestedLoops(trx, () => tallyAudience(trx, organizationId, validated, tests));
  const recipients = tally.find(({ reason }) => reason === null);
  return {
    breakdown: toBreakdown(tally),
    notMeasured: recipients?.not_measured ?? 0,
    passed: recipients?.passed ?? tests.map(() => 0),
  };
}

/** Counts the recipients of an audience by their time zone, the most frequent first. @param zones  names in lower case */
export async function countZones(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  zones: readonly string[],
  rows: ContactRows = 'collection',
) {
  const validated = await validateAudience(trx, organizationId, audience, rows);
  return await withoutNestedLoops(trx, () => tallyZones(trx, organizationId, validated, zones));
}

/** @returns the first contacts by id that will receive the email */
export async function sampleAudience(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  limit: number,
  rows: ContactRows = 'collection',
) {
  const validated = await validateAudience(trx, organizationId, audience, rows);
  return await withoutNestedLoops(trx, () => selectSample(trx, organizationId, validated, limit));
}

/** Says which contacts of the built-in backend the rule leaves out for want of a value. */
export async function hintsOf(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  { matched }: AudienceBreakdown,
): Promise<Pick<AudienceBreakdown, 'without_value'>> {
  const backend = createBuiltInBackend(trx, { organizationId, userId: null });
  return toHints(await countWithoutValue(backend, audience, matched));
}

export const toHints = (counted: readonly WithoutValue[]): Pick<AudienceBreakdown, 'without_value'> =>
  counted.length === 0 ? {} : { without_value: [...counted] };

/** Maximum sample contacts and brands in the description of an audience. */
export interface CountLimits {
  sample: number;
  brands: number;
}

/** @returns the numbers of an audience, sample contacts, and the brands for which the audience is smaller */
export async function describeAudience(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  limits: CountLimits,
  rows: ContactRows = 'collection',
): Promise<Omit<AudienceCount, 'reading'>> {
  const validated = await validateAudience(trx, organizationId, audience, rows);
  const { breakdown } = await countValidated(trx, organizationId, validated, []);
  const hints = rows === 'collection' ? await hintsOf(trx, organizationId, audience, breakdown) : {};
  const { brands, count } =
    audience.brandId === null
      ? await withoutNestedLoops(trx, () => tallyBrands(trx, organizationId, validated, limits.brands))
      : { brands: [], count: 0 };
  return {
    ...breakdown,
    ...hints,
    brands: brands.map(({ id, name, suppressed }) => ({
      id,
      name,
      will_receive: breakdown.will_receive - suppressed,
    })),
    brands_more: count - brands.length,
    sample: await withoutNestedLoops(trx, () => selectSample(trx, organizationId, validated, limits.sample)),
  };
}

/** More domains than this in one audience are assumed to be junk and count as invalid. */
const maxUnusualDomains = 20_000;

/** Converts the few domains that need UTS 46, which PostgreSQL does not support. */
export async function validateAudience(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  rows: ContactRows = 'collection',
): Promise<ValidatedAudience> {
  const unusual = await findUnusualDomains(trx, organizationId, audience, rows, maxUnusualDomains);
  const domains = unusual.flatMap((domain): [string, string][] => {
    const parsed = parseAddress(`a@${domain}`);
    return 'error' in parsed ? [] : [[domain, parsed.address.slice(2)]];
  });
  return { ...audience, domains: Object.fromEntries(domains), rows };
}

export function toBreakdown(tally: AudienceTally): AudienceBreakdown {
  const countOf = (reason: ExclusionReason | null) => tally.find((row) => row.reason === reason)?.count ?? 0;
  return {
    matched: tally.reduce((sum, { count }) => sum + count, 0),
    excluded: Object.fromEntries(exclusionReasons.map((reason) => [reason, countOf(reason)])),
    will_receive: countOf(null),
  };
}
