import type { Review } from '@reachout/contract/touchpoints.ts';
import { operations } from '../../identity/access/operations.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { channels } from '../channels/channels.ts';
import { getTouchpoint } from './touchpoint.queries.ts';

export const createReviewRoute = (transport: Review['transport']) =>
  operations.touchpoints.review.handler(async ({ input, context: { transaction, can } }) => {
    const { type } = await transaction((trx) => getTouchpoint(trx, input.id));
    const { review: reviewOf } = channels[type];
    if (reviewOf === null) throw notFound();
    const isCounted = can('read', 'Content');
    const { review } = await reviewOf(input.id, { transaction, transport, isCounted });
    return review;
  });
