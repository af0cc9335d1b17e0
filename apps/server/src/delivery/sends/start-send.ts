import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { followTouchpoints } from '../../outreach/campaigns/campaign-status.ts';
import { apiError, invalidTransition } from '../../platform/http/api-error.ts';
import { announceWork } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { countPlanned, planEmail } from '../../outreach/channels/email/plan-email.ts';
import { isBlocked, reviewEmail } from '../../outreach/channels/email/review-email.ts';
import { holdTouchpoint, setTouchpointStatus } from '../../outreach/touchpoints/touchpoint-status.ts';
import { undoMs } from './send.ts';
import { insertSend } from '../queue/send.queries.ts';

export interface StartSend {
  touchpointId: string;
  userId: string;
  immediately: boolean;
  uncertainPolicy: UncertainPolicy;
  /** The number that was shown and confirmed. */
  expectedRecipients: number | undefined;
  transport: Review['transport'];
}

/**
 * Confirms a send: what it says, who it goes to by rule, and when. All of it is fixed now; the audience is written down
 * when it starts, a minute later unless `immediately`.
 * @returns the id of the send
 * @throws 404; 409 `invalid_transition`, `send_blocked`, `audience_changed`
 */
export async function startSend(trx: Transaction, options: StartSend, now: Date): Promise<string> {
  const { type, status } = await holdTouchpoint(trx, options.touchpointId);
  if (status !== 'draft' || type !== 'email') throw invalidTransition(status, 'scheduled');
  const plan = await planEmail(trx, options.touchpointId);
  const funnel = await countPlanned(trx, plan);
  const review = await reviewEmail(plan, funnel, options.transport);
  if (isBlocked(review) || review.frozen === undefined || typeof plan.audience !== 'object') {
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
  const { touchpoint } = plan;
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
    plan.audience,
  );
  const { campaign_id } = await setTouchpointStatus(trx, touchpoint.id, ['draft'], 'scheduled');
  await followTouchpoints(trx, campaign_id);
  await announceWork(trx);
  return id;
}
