import { sendError } from '@reachout/contract/rules/send-errors.ts';
import type { LimitingPolicy } from '../email/transports/sender-policy.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Allowance, Sender, Shortage } from './allowance.ts';
import { getDailyUse, lockDailyUse } from './daily-limit.queries.ts';

export interface DailyUse {
  /** Of all organizations of a user together, if more of it is used than by this organization alone. */
  of: 'organization' | 'person';
  /** Recipients that may be reached in 24 hours. */
  limit: number;
  /** Recipients of sends confirmed in the last 24 hours, plus the remaining recipients of older sends. */
  used: number;
}

/**
 * The recipients that may be reached in 24 hours. Their number is counted in the sends themselves: what was sent stays
 * counted, and what fails or is cancelled is free again, without a row to keep (db/functions/daily-recipients.sql).
 */
export const dailyLimit: Allowance = {
  async reserve(trx, sender, policy) {
    if (policy.transport === 'mailbox') return undefined;
    await lockDailyUse(trx, sender);
    const use = await findDailyUse(trx, sender, policy);
    return use && shortageOf(use);
  },
};

/**
 * By a transport of the organization, its provider sets the limit. Else an organization without a limit set by the operator shares its limit with the other organizations of its owners and of
 * the user who sends: whoever has several organizations does not reach more recipients.
 * @returns undefined with the built-in mailbox, and with a provider that has no limit
 */
export async function findDailyUse(
  trx: Transaction,
  sender: Sender,
  policy: LimitingPolicy,
): Promise<DailyUse | undefined> {
  if (policy.transport === 'mailbox') return undefined;
  const { own_limit, used, used_by_people } = await getDailyUse(trx, sender);
  if (own_limit !== null) return { of: 'organization', limit: own_limit, used };
  if (policy.own !== undefined)
    return policy.own.perDay === null ? undefined : { of: 'organization', limit: policy.own.perDay, used };
  const limit = policy.dailyRecipientLimit;
  return used_by_people > used
    ? { of: 'person', limit, used: used_by_people }
    : { of: 'organization', limit, used };
}

/** @param added  recipients that a send would add @returns undefined if they are within the limit */
export function shortageOf({ of, limit, used: before }: DailyUse, added = 0): Shortage | undefined {
  const used = before + added;
  if (used <= limit) return undefined;
  const error = sendError(of === 'person' ? 'daily_limit_of_person_exceeded' : 'daily_limit_exceeded', {
    limit,
    used,
  });
  return { limit, used, check: 'daily_limit', code: 'daily_limit_reached', error };
}
