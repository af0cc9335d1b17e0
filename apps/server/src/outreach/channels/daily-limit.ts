import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { SenderPolicy } from '../../email/transports/sender-policy.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getDailyUse, lockDailyUse, type Sender } from './daily-limit.queries.ts';

export interface DailyLimit {
  /** Of all organizations of a user together, if more of it is used than by this organization alone. */
  of: 'organization' | 'person';
  /** Recipients that may be reached in 24 hours. */
  limit: number;
  /** Recipients of sends confirmed in the last 24 hours, plus the remaining recipients of older sends. */
  used: number;
}

/**
 * An organization without a limit set by the operator shares its limit with the other organizations of its owners and of
 * the user who sends: whoever has several organizations does not reach more recipients.
 * @returns undefined with the built-in mailbox, which has no limit
 */
export async function findDailyLimit(
  trx: Transaction,
  sender: Sender,
  policy: SenderPolicy,
): Promise<DailyLimit | undefined> {
  if (policy.transport === 'mailbox') return undefined;
  const { own_limit, used, used_by_people } = await getDailyUse(trx, sender);
  if (own_limit !== null) return { of: 'organization', limit: own_limit, used };
  const limit = policy.dailyRecipientLimit;
  return used_by_people > used
    ? { of: 'person', limit, used: used_by_people }
    : { of: 'organization', limit, used };
}

/**
 * Checks the limit after a send was added: of concurrently added sends, the last one sees all. Lock order: after
 * everything else that the transaction locks.
 * @returns the limit if it is exceeded now
 */
export async function findExceededLimit(
  trx: Transaction,
  sender: Sender,
  policy: SenderPolicy,
): Promise<DailyLimit | undefined> {
  if (policy.transport === 'mailbox') return undefined;
  await lockDailyUse(trx, sender);
  const found = await findDailyLimit(trx, sender, policy);
  return found !== undefined && exceeds(found) ? found : undefined;
}

export const exceeds = ({ limit, used }: DailyLimit): boolean => used > limit;

/** The error that is shown to users. */
export const dailyLimitExceeded = ({ of, limit, used }: DailyLimit): SendError =>
  sendError(of === 'person' ? 'daily_limit_of_person_exceeded' : 'daily_limit_exceeded', { limit, used });
