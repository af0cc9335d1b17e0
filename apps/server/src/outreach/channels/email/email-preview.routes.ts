import type { Review } from '@reachout/contract/touchpoints.ts';
import { call } from '../../../identity/access/operations.ts';
import { findContact } from '../../../content/audiences/find-audience.ts';
import { renderPreview } from '../../../email/templates/render-preview.ts';
import { callError, invalidInput } from '../../../platform/http/api-error.ts';
import { toTemplateProblem } from '../../../content/templates/template-problem.ts';
import { countPlanned, planEmail } from './plan-email.ts';
import { reviewEmail } from './review-email.ts';

/** What a send would do, and what one recipient would get. Both compile, so they hold no transaction meanwhile. */
export const createPreviewRoutes = (transport: Review['transport']) => ({
  review: call.touchpoints.review.handler(async ({ input, context }) => {
    // Whoever may not read contacts is not told what counting them tells.
    const isCounted = context.may('read', 'Content');
    const { plan, funnel } = await context.transaction(async (trx) => {
      const planned = await planEmail(trx, input.id);
      return { plan: planned, funnel: isCounted ? await countPlanned(trx, planned) : undefined };
    });
    const { checks } = await reviewEmail(plan, isCounted ? funnel : 'hidden', transport);
    return {
      checks,
      funnel: funnel ?? null,
      subject: plan.email.subject,
      from: { name: plan.email.from_name, email: plan.email.from_email },
      transport,
    };
  }),
  preview: call.emails.preview.handler(async ({ input, context }) => {
    const { plan, contact } = await context.transaction(async (trx) => {
      const planned = await planEmail(trx, input.id);
      const found = await findContact(
        trx,
        planned.touchpoint.organization_id,
        planned.audience,
        input.collectionItemId,
      );
      return { plan: planned, contact: found };
    });
    if (plan.content === undefined) throw callError(409, 'template_missing', 'Choose a template first.');
    if (input.collectionItemId !== undefined && contact === undefined)
      throw invalidInput('collectionItemId', 'There is no such contact.');
    const preview = await renderPreview(
      plan.content,
      plan.context,
      contact?.data ?? {},
      context.organizationId,
    );
    const { subject, preheader, html, text, warnings } = preview;
    return {
      from: { name: plan.content.from_name, email: plan.content.from_email },
      to: input.email ?? contact?.address ?? 'recipient@example.com',
      subject,
      preheader,
      html,
      text,
      problems: warnings.map(toTemplateProblem),
    };
  }),
});
