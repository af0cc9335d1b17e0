import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../../platform/ids.ts';
import type { Channel } from '../channel.ts';
import { findDailyLimit } from '../daily-limit.ts';
import { countPlanned, planEmail } from './plan-email.ts';
import { isBlocked, reviewEmail } from './review-email.ts';
import { insertTouchpointEmail } from './touchpoint-email.queries.ts';

/** A message to each contact of an audience. */
export const email: Channel = {
  create: (trx, { id, organization_id, brand_name }) =>
    insertTouchpointEmail(trx, {
      id: newId(),
      organization_id,
      touchpoint_id: id,
      from_name: defaultSenderName(brand_name),
    }),

  async review(touchpointId, { userId, transaction, relay, kind, isCounted }) {
    const hasAudience = kind === 'campaign';
    const { plan, breakdown, dailyLimit } = await transaction(async (trx) => {
      const planned = await planEmail(trx, touchpointId);
      return {
        plan: planned,
        breakdown: isCounted && hasAudience ? await countPlanned(trx, planned) : undefined,
        dailyLimit:
          kind === 'test' ? undefined : await findDailyLimit(trx, planned.touchpoint.organization_id, relay),
      };
    });
    const reviewed = await reviewEmail(plan, !hasAudience ? 'none' : isCounted ? breakdown : 'hidden', {
      relay,
      dailyLimit,
      userId,
    });
    const { checks, snapshot: content } = reviewed;
    const { touchpoint } = plan;
    const { subject, from_name, from_email } = plan.email;
    const audience = typeof plan.audience === 'object' ? plan.audience : null;
    const isReady = !isBlocked(reviewed) && content !== undefined && (audience !== null || !hasAudience);
    return {
      touchpoint,
      review: {
        checks,
        audience_breakdown: breakdown ?? null,
        subject,
        from: { name: from_name, email: from_email },
        daily_limit: dailyLimit ?? null,
        transport: relay === undefined ? 'mailbox' : 'smtp',
      },
      message: isReady ? { content, audience } : undefined,
      isCurrent: async (trx) => isDeepStrictEqual(await planEmail(trx, touchpointId), plan),
    };
  },

  emits: ['SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE'],
};

/** The name on the envelope until somebody chooses another: the brand's. A sender name can’t contain @. */
const defaultSenderName = (brandName: string): string => brandName.replaceAll('@', ' ').trim();
