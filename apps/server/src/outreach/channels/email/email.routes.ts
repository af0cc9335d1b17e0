import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { inTransaction, operations } from '../../../identity/access/operations.ts';
import { backendAccessOf, findContact } from '../../../contacts/audiences/find-contact.ts';
import { previewTagProblems } from '../../../contacts/audiences/preview-merge-tags.ts';
import { readContentItems, noItems } from '../../../content/gateway/content-items.ts';
import { renderPreview } from '../../../email/templates/render-preview.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { apiError, invalidInput } from '../../../platform/http/api-error.ts';
import { toTemplateProblem } from '../../../content/templates/template-problem.ts';
import { isPlanned } from '../../touchpoints/touchpoint.queries.ts';
import { requireShown } from '../../touchpoints/require-shown.ts';
import type { MailSetup } from '../channel.ts';
import { listActiveHosts } from '../website/touchpoint-website.queries.ts';
import { withoutUntracked } from './as-written.ts';
import { changeEmail } from './change-email.ts';
import { findItemProblems, limitItems } from './check-items.ts';
import { planEmail, withItems, type EmailPlan } from './plan-email.ts';
import { getTouchpointEmail, listEmailListeners } from './touchpoint-email.queries.ts';
import { describeTrial } from './try-email.ts';

/** The content of an email, and its preview for one recipient. No transaction is open during rendering. */
export const createEmailContentRoutes = ({
  publicUrl,
  content,
}: Pick<MailSetup, 'publicUrl' | 'content'>) => ({
  getEmail: inTransaction(operations.touchpoints.getEmail, (trx, input) => describeEmail(trx, input.id)),
  updateEmail: inTransaction(
    operations.touchpoints.updateEmail,
    async (trx, { id, if_updated_at, ...changes }, context) => {
      requireShown(context, changes);
      const { name, values } = await changeEmail(trx, id, changes, if_updated_at);
      context.note({ record_id: id, record_name: name, values });
      return await describeEmail(trx, id);
    },
  ),
  preview: operations.emails.preview.handler(async ({ input, context }) => {
    const { plan, is_planned, hosts } = await context.transaction(async (trx) => ({
      plan: await planEmail(trx, input.id, publicUrl),
      is_planned: await isPlanned(trx, input.id),
      hosts: new Set(await listActiveHosts(trx, context.organizationId)),
    }));
    // What is sent was stored at confirmation: the brand may have changed since.
    if (!touchpointCan.write({ ...plan.touchpoint, is_planned })) throw apiError('touchpoint_locked');
    const access = backendAccessOf(content, context);
    const contact = await findContact(
      access,
      typeof plan.audience === 'object' ? plan.audience : plan.collection,
      input.collectionItemId,
    );
    if (input.collectionItemId !== undefined && contact === undefined)
      throw invalidInput('collectionItemId', 'There is no such contact.');
    const source = sourceOfPreview(plan, input.contentCollectionItemId);
    const loaded = limitItems(typeof source === 'object' ? await readContentItems(access, source) : noItems);
    if (input.contentCollectionItemId !== undefined && loaded.item === undefined && !loaded.problem)
      throw noSuchItem();
    if (plan.content === undefined) throw apiError('body_missing');
    const preview = await renderPreview(
      plan.content,
      withItems(plan.context, loaded),
      contact?.data ?? {},
      context.organizationId,
      context.userId,
    );
    const { subject, preheader, html, text, tags, warnings, trial } = preview;
    const trialProblems =
      trial === undefined || contact === undefined
        ? []
        : describeTrial(trial, plan.content, { recipients: 'one', isComplete: true, isExact: true });
    const tagProblems = await previewTagProblems(context.transaction, {
      tags,
      fields: plan.fields,
      contact: contact?.data,
    });
    const email = {
      ...plan.email,
      item_id: input.contentCollectionItemId ?? plan.email.item_id,
    };
    const itemProblems = findItemProblems({ email, source }, loaded, tags);
    return {
      from: { name: plan.content.from_name, email: plan.content.from_email },
      to: input.email ?? contact?.address ?? 'recipient@example.com',
      subject,
      preheader,
      html,
      text,
      problems: [
        ...withoutUntracked(warnings, hosts),
        ...(itemProblems.source ?? []),
        ...itemProblems.tags,
        ...tagProblems,
        ...trialProblems,
      ].map(toTemplateProblem),
    };
  }),
});

async function describeEmail(trx: Transaction, id: string): Promise<TouchpointEmail> {
  const email = await getTouchpointEmail(trx, id);
  const filters = email.filter && { name: email.filter.name };
  return { ...email, filters, event_listeners: await listEmailListeners(trx, id) };
}

/** @param itemId  replaces the item of the email @throws 422 without a collection that could have this item */
function sourceOfPreview({ source }: EmailPlan, itemId: string | undefined): EmailPlan['source'] {
  if (itemId === undefined) return source;
  if (typeof source !== 'object') throw noSuchItem();
  return { ...source, itemId };
}

const noSuchItem = () => invalidInput('contentCollectionItemId', 'There is no such content item.');
