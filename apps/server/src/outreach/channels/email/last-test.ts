import type { Review } from '@reachout/contract/touchpoints.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { EmailPlan } from './plan-email.ts';
import { findLastTestTime } from './last-test.queries.ts';

type LastTest = NonNullable<Review['test']>;

/** The last test of an email, by any user; it is current unless the email was changed since. */
export async function findLastTest(
  trx: Transaction,
  { touchpoint, email }: EmailPlan,
): Promise<LastTest | undefined> {
  const at = await findLastTestTime(trx, touchpoint.organization_id, touchpoint.id);
  if (at === undefined) return undefined;
  return { at, is_current: Date.parse(at) > Date.parse(email.updated_at) };
}
