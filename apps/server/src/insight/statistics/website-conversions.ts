import type { WebsiteConversions } from '@reachout/contract/statistics.ts';
import type { Period } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';
import { sumByEmail, sumByGoal } from './website-conversions.queries.ts';

/** @returns the conversions on a website in a period, by goal and by the email that led to them */
export const readWebsiteConversions = async (
  trx: Transaction,
  query: StatisticsQuery,
  period: Period,
): Promise<WebsiteConversions> => ({
  goals: await readGoals(trx, query, period),
  emails: await readEmails(trx, query, period),
});

export const readGoals = (
  trx: Transaction,
  query: StatisticsQuery,
  { start, until, previous }: Period,
): Promise<WebsiteConversions['goals']> => sumByGoal(trx, query, { start, end: until }, previous);

export async function readEmails(
  trx: Transaction,
  query: StatisticsQuery,
  { start, until }: Period,
): Promise<WebsiteConversions['emails']> {
  const emails = await sumByEmail(trx, query, { start, end: until });
  return emails.map(({ id, name, ...row }) => ({ touchpoint: id === null ? null : { id, name }, ...row }));
}
