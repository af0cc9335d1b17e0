import type { WebsiteConversions } from '@reachout/contract/statistics.ts';
import type { Period } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { sumByEmail, sumByGoal } from './website-conversions.queries.ts';
import type { StatisticsQuery } from './email-statistics.queries.ts';

/** @returns the conversions on a website in a period, by goal and by the email that led to them */
export async function readWebsiteConversions(
  trx: Transaction,
  query: StatisticsQuery,
  { start, until, previous }: Period,
): Promise<WebsiteConversions> {
  const emails = await sumByEmail(trx, query, { start, end: until });
  return {
    goals: await sumByGoal(trx, query, { start, end: until }, previous),
    emails: emails.map(({ id, name, ...row }) => ({ touchpoint: id === null ? null : { id, name }, ...row })),
  };
}
