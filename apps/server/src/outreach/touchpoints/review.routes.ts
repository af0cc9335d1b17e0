import { operations } from '../../identity/access/operations.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { MailSetup } from '../channels/channel.ts';
import { channels } from '../channels/channels.ts';
import { getTouchpoint } from './touchpoint.queries.ts';

export const createReviewRoute = (setup: MailSetup) =>
  operations.touchpoints.review.handler(async ({ input, context: { userId, transaction, can } }) => {
    const { type } = await transaction((trx) => getTouchpoint(trx, input.id));
    const { review: reviewOf } = channels[type];
    if (reviewOf === null) throw notFound();
    const counts = can('read', 'Content') ? 'recipients_and_tags' : 'nothing';
    const { review } = await reviewOf(input.id, {
      userId,
      transaction,
      ...setup,
      kind: input.kind,
      counts,
    });
    return review;
  });
