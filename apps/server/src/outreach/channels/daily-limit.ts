import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { RelayRules } from '../../email/transports/relay-rules.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getDailyUse, lockDailyUse } from './daily-limit.queries.ts';

export interface DailyLimit {
  /** Recipients that an organization may reach in 24 hours. */
  limit: number;
  /** Recipients of sends confirmed in the last 24 hours, plus the remaining recipients of older sends. */
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
 * Checks the limit after a send was added: of concurrently added sends, the last one sees all. Lock order: after
 * everything else that the transaction locks.
 * @returns the limit if it is exceeded now
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

/** The error that is shown to users. */
export const dailyLimitExceeded = ({ limit, used }: DailyLimit): SendError =>
  sendError('daily_limit_exceeded', { limit, used });
