import { ORPCError } from '@orpc/contract';
import type { AudienceBreakdown, AudienceReading } from '@reachout/contract/filters.ts';
import type { TagCount } from '../../../contacts/audiences/check-merge-tags.ts';
import type { Audience } from '../../../contacts/audiences/audience.ts';
import { countRemote } from '../../../contacts/audiences/count-remote.ts';
import type { BackendAccess } from '../../../content/gateway/contact-collection.ts';
import { countAudience, hintsOf } from '../../../contacts/audiences/count-audience.ts';
import type { ContactTest } from '../../../email/email-content.ts';
import { limitStatements } from '../../../platform/database/database.ts';
import { isStatementTimeout } from '../../../platform/database/is-database-away.ts';
import type { ReviewOptions } from '../channel.ts';
import type { EmailPlan } from './plan-email.ts';

export interface Recipients {
  /** Undefined without a usable audience, or if it cannot be counted. */
  breakdown: AudienceBreakdown | undefined;
  /** Of the recipients, those whose opens and clicks would not be measured; undefined if they were not counted. */
  notMeasured?: number | undefined;
  /** For remote contacts. */
  reading?: AudienceReading;
  /** User-facing reason why recipients cannot be counted. */
  problem?: string;
  /** Undefined if no recipients were counted. */
  tags: TagCount | 'too_slow' | 'not_read' | undefined;
}

/** Each tag is evaluated for each contact: for a million contacts, that may take longer than users wait. */
const tagLimitMs = 4_000;

/**
 * Counts the audience and, in the same pass over the contacts, how often each condition holds. If the time limit is
 * exceeded, only the audience is counted.
 */
export async function countRecipients(
  { transaction, content }: Pick<ReviewOptions, 'transaction' | 'content'>,
  { touchpoint, audience }: EmailPlan,
  tests: readonly ContactTest[],
  limitMs = tagLimitMs,
): Promise<Recipients> {
  if (typeof audience !== 'object') return { breakdown: undefined, tags: undefined };
  if (audience.endpoint !== null) {
    const { organization_id: organizationId } = touchpoint;
    return await countRemoteRecipients({ deps: content, organizationId, run: transaction }, audience, tests);
  }
  const count = (counted: readonly ContactTest[]) =>
    transaction(async (trx) => {
      if (counted.length > 0) await limitStatements(trx, limitMs);
      return await countAudience(trx, touchpoint.organization_id, audience, counted);
    });
  const withHints = async (breakdown: AudienceBreakdown): Promise<AudienceBreakdown> => {
    try {
      return await transaction(async (trx) => {
        await limitStatements(trx, limitMs);
        return { ...breakdown, ...(await hintsOf(trx, touchpoint.organization_id, audience, breakdown)) };
      });
    } catch (error) {
      if (!isStatementTimeout(error)) throw error;
      return breakdown;
    }
  };
  try {
    const { breakdown, notMeasured, passed } = await count(tests);
    const tags = { recipients: breakdown.will_receive, empty: passed };
    return { breakdown: await withHints(breakdown), notMeasured, tags };
  } catch (error) {
    if (tests.length === 0 || !isStatementTimeout(error)) throw error;
    const { breakdown, notMeasured } = await count([]);
    return { breakdown: await withHints(breakdown), notMeasured, tags: 'too_slow' };
  }
}

async function countRemoteRecipients(
  access: BackendAccess,
  audience: Audience,
  tests: readonly ContactTest[],
): Promise<Recipients> {
  try {
    const { breakdown, reading, notMeasured, passed } = await countRemote(access, audience, tests);
    const tags = passed === undefined ? 'not_read' : { recipients: breakdown.will_receive, empty: passed };
    return { breakdown, reading, notMeasured, tags };
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error;
    return { breakdown: undefined, tags: undefined, problem: messageOf(error) };
  }
}

/** The backend's own message, if there is one. */
export const messageOf = ({ data, message }: ORPCError<string, unknown>): string =>
  (data as { message?: string } | undefined)?.message ?? message;
