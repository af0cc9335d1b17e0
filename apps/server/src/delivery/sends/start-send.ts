import { isDeepStrictEqual } from 'node:util';
import type { Funnel } from '@reachout/contract/filters.ts';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { countPlanned, planEmail, type EmailPlan } from '../../outreach/channels/email/plan-email.ts';
import { isBlocked, reviewEmail, type EmailReview } from '../../outreach/channels/email/review-email.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import { lockForSend, setTouchpointStatus } from '../../outreach/touchpoints/touchpoint-status.ts';
import { apiError, invalidTransition } from '../../platform/http/api-error.ts';
import { announceWork } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { undoMs } from './send.ts';
import { insertSend } from '../queue/send.queries.ts';

export interface SendProposal {
  plan: EmailPlan;
  funnel: Funnel | undefined;
  review: EmailReview;
}

/**
 * Counts and compiles what a send would be. Both take long, so they lock nothing.
 * @throws 404; 409 `invalid_transition` for a touchpoint that is no email
 */
export async function proposeSend(
  transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>,
  touchpointId: string,
  transport: Review['transport'],
): Promise<SendProposal> {
  const planned = await transaction(async (trx) => {
    const { type, status } = await requireTouchpoint(trx, touchpointId);
    if (type !== 'email') throw invalidTransition(status, 'scheduled');
    const plan = await planEmail(trx, touchpointId);
    return { plan, funnel: await countPlanned(trx, plan) };
  });
  return { ...planned, review: await reviewEmail(planned.plan, planned.funnel, transport) };
}

export interface StartSend {
  userId: string;
  immediately: boolean;
  uncertainPolicy: UncertainPolicy;
  /** The number that was shown and confirmed. */
  expectedRecipients: number | undefined;
}

/**
 * Confirms a send: what it says, who it goes to by rule, and when. All of it is fixed now; the audience is written down
 * when it starts, a minute later unless `immediately`.
 * @returns the id of the send
 * @throws 404; 409 `invalid_transition`, `changed_elsewhere`, `send_blocked`, `audience_changed`
 */
export async function startSend(
  trx: Transaction,
  { plan, funnel, review }: SendProposal,
  options: StartSend,
  now: Date,
): Promise<string> {
  const { touchpoint, audience } = plan;
  const current = await lockForSend(trx, touchpoint.id);
  if (!touchpointCan.send(current)) throw invalidTransition(current.status, 'scheduled');
  if (!isDeepStrictEqual(await planEmail(trx, touchpoint.id), plan))
    throw apiError(409, 'changed_elsewhere', 'This was changed elsewhere since you opened it.');
  if (isBlocked(review) || review.frozen === undefined || typeof audience !== 'object') {
    const checks = review.checks
      .filter(({ level }) => level === 'block')
      .map(({ check, message }) => ({ check, message }));
    throw apiError(409, 'send_blocked', 'This email cannot be sent yet.', { checks });
  }
  const actual = funnel?.will_receive ?? 0;
  if (options.expectedRecipients !== undefined && options.expectedRecipients !== actual) {
    throw apiError(409, 'audience_changed', 'The audience has changed since you confirmed it.', {
      expected: options.expectedRecipients,
      actual,
    });
  }

  const id = newId();
  await insertSend(
    trx,
    {
      id,
      organization_id: touchpoint.organization_id,
      touchpoint_id: touchpoint.id,
      brand_id: touchpoint.brand_id,
      send_date: new Date(now.getTime() + (options.immediately ? 0 : undoMs)),
      uncertain_policy: options.uncertainPolicy,
      user_created: options.userId,
    },
    review.frozen,
    audience,
  );
  await setTouchpointStatus(trx, touchpoint.id, 'scheduled');
  await announceWork(trx);
  return id;
}
