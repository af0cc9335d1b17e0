import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { RelayRules } from '../../email/transports/relay-rules.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getDailyUse, lockDailyUse } from './daily-limit.queries.ts';

export interface DailyLimit {
  /** Recipients that an organization may reach in 24 hours. */
  limit: number;
  /** Recipients of the sends that were confirmed in the last 24 hours, and those that older ones have left. */
  used: number;
}

/** Undefined with the built-in mailbox, which has no limit. */
export async function findDailyLimit(
  trx: Transaction,
  organizationId: string,
  relay: RelayRules | undefined,
): Promise<DailyLimit | undefined> {
  if (relay === undefined) return undefined;
  const { own_limit, used } = await getDailyUse(trx, organizationId);
  return { limit: own_limit ?? relay.dailyRecipientLimit, used };
}

/**
 * Looks at the limit after a send was added to it: of sends that are added at the same moment the last one sees all.
 * Lock order: after everything else that the transaction locks.
 * @returns the limit, when it is exceeded now
 */
export async function findExceededLimit(
  trx: Transaction,
  organizationId: string,
  relay: RelayRules | undefined,
): Promise<DailyLimit | undefined> {
  if (relay === undefined) return undefined;
  await lockDailyUse(trx, organizationId);
  const found = await findDailyLimit(trx, organizationId, relay);
  return found !== undefined && exceeds(found) ? found : undefined;
}

export const exceeds = ({ limit, used }: DailyLimit): boolean => used > limit;

/** For the screen. */
export const dailyLimitExceeded = ({ limit, used }: DailyLimit): SendError =>
  sendError('daily_limit_exceeded', { limit, used });
