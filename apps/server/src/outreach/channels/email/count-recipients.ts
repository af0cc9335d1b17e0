import type { AudienceBreakdown } from '@reachout/contract/filters.ts';
import type { TagCount } from '../../../content/audiences/check-merge-tags.ts';
import { countAudience } from '../../../content/audiences/count-audience.ts';
import type { ContactTest } from '../../../email/merge-tags.ts';
import { limitStatements, type Transaction } from '../../../platform/database/database.ts';
import { isStatementTimeout } from '../../../platform/database/is-database-away.ts';
import type { EmailPlan } from './plan-email.ts';

export interface Recipients {
  /** Undefined without a usable audience. */
  breakdown: AudienceBreakdown | undefined;
  /** Undefined where nobody was to be counted. */
  tags: TagCount | 'too_slow' | undefined;
}

/** Each tag looks at each contact: of a million contacts that may take longer than anybody waits. */
const tagLimitMs = 4_000;

/**
 * The numbers of the audience, and in the same look at the contacts how often each condition holds. Beyond the time limit the
 * audience is counted alone.
 */
export async function countRecipients(
  transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>,
  { touchpoint, audience }: EmailPlan,
  tests: readonly ContactTest[],
  limitMs = tagLimitMs,
): Promise<Recipients> {
  if (typeof audience !== 'object') return { breakdown: undefined, tags: undefined };
  const count = (counted: readonly ContactTest[]) =>
    transaction(async (trx) => {
      if (counted.length > 0) await limitStatements(trx, limitMs);
      return await countAudience(trx, touchpoint.organization_id, audience, counted);
    });
  try {
    const { breakdown, passed } = await count(tests);
    return { breakdown, tags: { recipients: breakdown.will_receive, empty: passed } };
  } catch (error) {
    if (tests.length === 0 || !isStatementTimeout(error)) throw error;
    return { breakdown: (await count([])).breakdown, tags: 'too_slow' };
  }
}
