import { noItems, readBuiltInItems } from '../../content/gateway/content-items.ts';
import { createPictureCache, type PictureCache } from '../../email/templates/picture-cache.ts';
import { renderPreview } from '../../email/templates/render-preview.ts';
import type { SentEmail } from '../../email/templates/render-sent.ts';
import { runTemplateTask, TemplateTaskError } from '../../email/templates/template-processes.ts';
import { operations, type OperationContext } from '../../identity/access/operations.ts';
import type { MailSetup } from '../../outreach/channels/channel.ts';
import { limitItems } from '../../outreach/channels/email/check-items.ts';
import { planEmail, withItems, type EmailPlan } from '../../outreach/channels/email/plan-email.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getSendContent } from '../../queue/send.queries.ts';
import { findLastLiveSend } from './picture.queries.ts';

export function createPictureRoute({ publicUrl }: Pick<MailSetup, 'publicUrl'>) {
  const cache = createPictureCache();
  return operations.emails.picture.handler(async ({ input, context }) => ({
    html: await renderPicture(input.id, context, { publicUrl, cache }),
  }));
}

type Reader = Pick<OperationContext, 'userId' | 'organizationId' | 'transaction' | 'can'>;

/**
 * Renders an email without a recipient, so that it contains no personal data: as it was last sent, or, for a draft, as it is
 * written now. No transaction is open during rendering.
 * @returns null if there is nothing to show, or the result is too large
 * @throws 404
 */
async function renderPicture(
  touchpointId: string,
  reader: Reader,
  { publicUrl, cache }: { publicUrl: string; cache: PictureCache },
): Promise<string | null> {
  const { organizationId, userId } = reader;
  const { plan, items, sent } = await reader.transaction(async (trx) => {
    const planned = await planEmail(trx, touchpointId, publicUrl);
    const isDraft = planned.touchpoint.status === 'draft';
    const sendId = isDraft ? undefined : await findLastLiveSend(trx, touchpointId);
    return {
      plan: planned,
      items: sendId === undefined && reader.can('read', 'Content') ? await readItems(trx, planned) : noItems,
      sent: sendId === undefined ? undefined : (await getSendContent(trx, sendId)).content,
    };
  });
  if (sent !== undefined) {
    const task = { kind: 'sent', snapshot: sent, contact: {} } as const;
    return await draw(
      cache,
      task,
      async () => (await runTemplateTask<SentEmail>(task, organizationId, userId)).html,
    );
  }
  const { content } = plan;
  if (content === undefined) return null;
  const context = withItems(plan.context, items);
  return await draw(
    cache,
    { content, context },
    async () => (await renderPreview(content, context, {}, organizationId, userId)).html,
  );
}

/** A list of emails has many pictures: no Directus is asked for their items. */
async function readItems(trx: Transaction, { source, touchpoint }: EmailPlan) {
  if (typeof source !== 'object' || source.endpoint !== null) return noItems;
  return limitItems(await readBuiltInItems(trx, touchpoint.organization_id, source));
}

async function draw(
  cache: PictureCache,
  source: unknown,
  render: () => Promise<string>,
): Promise<string | null> {
  try {
    return await cache.draw(source, render);
  } catch (error) {
    // The template cannot be rendered without a recipient, or at all: the review shows the reason.
    if (error instanceof TemplateTaskError) return null;
    throw error;
  }
}
