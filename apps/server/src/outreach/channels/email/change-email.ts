import type { TouchpointEmailChanges } from '@reachout/contract/touchpoints.ts';
import { isUsableFor } from '@reachout/contract/rules/owners.ts';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { requireTopic } from '../../../clients/brands/topics.ts';
import { createBuiltInBackend } from '../../../content/built-in/built-in-backend.ts';
import { starterMjml } from '../../../content/templates/starters.ts';
import { checkSize, findTemplate } from '../../../content/templates/templates.ts';
import { apiError, invalidInput, notFound } from '../../../platform/http/api-error.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { touchCampaign } from '../../campaigns/campaign-status.ts';
import { isPlanned, lockCurrentTouchpoint, updateTouchpoint } from '../../touchpoints/touchpoint.queries.ts';
import {
  getTouchpointEmail,
  lockFilterForUse,
  updateTouchpointEmail,
  type EmailChanges,
} from './touchpoint-email.queries.ts';
import type { TouchpointRow } from '../../touchpoints/touchpoint.ts';

/** Names of the chosen records. */
type EmailValues = { [K in 'filter_id' | 'template_id' | 'topic_id']?: string };

/**
 * Changes subject, sender, body, content item, audience or topic. A template or a default template is copied into the body.
 * @param ifUpdatedAt  the `updated_at` that the changes are based on; undefined to overwrite any version
 * @returns the name of the touchpoint, and those of the chosen template, audience and topic
 * While a send waits for its time, this changes what can be confirmed again.
 * @throws 404; 409 `touchpoint_locked` once it is being sent; 422 for a template, an audience or a topic that does not exist
 *   here; 409 `changed_elsewhere`
 */
export async function changeEmail(
  trx: Transaction,
  id: string,
  input: TouchpointEmailChanges,
  ifUpdatedAt?: string,
): Promise<{ name: string; values: EmailValues }> {
  const touchpoint = await lockCurrentTouchpoint(trx, id);
  const { name, campaign_id, organization_id } = touchpoint;
  if (touchpoint.type !== 'email') throw notFound();
  if (!touchpointCan.write({ ...touchpoint, is_planned: await isPlanned(trx, id) }))
    throw apiError('touchpoint_locked');
  if (ifUpdatedAt !== undefined) {
    // The lock above prevents concurrent changes until the transaction ends.
    const { updated_at } = await getTouchpointEmail(trx, id);
    if (Date.parse(ifUpdatedAt) !== Date.parse(updated_at)) throw apiError('changed_elsewhere');
  }
  const { template_id, mjml, starter, language = 'en', ...fields } = input;
  const { filter_id, topic_id } = fields;
  const values: EmailValues = {};
  const given = [mjml, starter, template_id ?? undefined].filter((source) => source !== undefined);
  if (given.length > 1) throw invalidInput('mjml', 'Choose one source of the body.');
  if (mjml !== undefined) checkSize(mjml);
  const changes: EmailChanges = { ...fields, mjml, template_id };
  if (starter !== undefined)
    Object.assign(changes, { mjml: starterMjml(starter, language), template_id: null });
  if (typeof fields.item_id === 'string' && touchpoint.collection === null)
    throw invalidInput('item_id', 'Choose a collection first.');
  if (typeof filter_id === 'string') {
    const filter = await lockFilterForUse(trx, filter_id);
    if (filter === undefined) throw invalidInput('filter_id', 'There is no such audience.');
    if (!isUsableFor(filter, touchpoint))
      throw invalidInput('filter_id', 'This audience belongs to another client or brand.');
    values.filter_id = filter.name;
  }
  if (typeof topic_id === 'string') values.topic_id = await requireTopic(trx, topic_id, touchpoint.brand_id);
  if (typeof template_id === 'string') {
    const backend = createBuiltInBackend(trx, { organizationId: organization_id, userId: null });
    const template = await findTemplate(backend, template_id);
    if (template === undefined) throw invalidInput('template_id', 'There is no such template.');
    if (!isUsableFor(template, touchpoint))
      throw invalidInput('template_id', 'This template belongs to another client or brand.');
    if (template.template_type !== 'email')
      throw invalidInput(
        'template_id',
        'Choose a template of the type email: a layout or a block is no body.',
      );
    changes.mjml = template.mjml;
    values.template_id = template.title;
  }
  if (Object.keys(input).length === 0) return { name, values };
  await updateTouchpointEmail(trx, id, changes);
  await updateTouchpoint(trx, id, {});
  await touchCampaign(trx, campaign_id);
  return { name, values };
}

/**
 * Copies subject, sender, body, audience and, if the copy has the same collection, the content item. For another brand, neither sender nor audience nor topic is copied: the copy
 * would be sent in the name of the first brand, or to its contacts. An audience that was deleted since, or that the other
 * brand cannot use, is left out, and so is the template that the body began from.
 */
export async function copyEmail(trx: Transaction, from: TouchpointRow, to: TouchpointRow): Promise<void> {
  const {
    subject,
    preheader,
    mjml,
    from_name,
    from_email,
    reply_to,
    filter_id,
    template_id,
    item_id,
    items_count,
    topic_id,
  } = await getTouchpointEmail(trx, from.id);
  const backend = createBuiltInBackend(trx, { organizationId: from.organization_id, userId: null });
  const template = template_id === null ? undefined : await findTemplate(backend, template_id);
  const hasTemplate = template !== undefined && isUsableFor(template, to);
  const isSameBrand = from.brand_id === to.brand_id;
  const filter = isSameBrand && filter_id !== null ? await lockFilterForUse(trx, filter_id) : undefined;
  const hasFilter = filter !== undefined && isUsableFor(filter, to);
  await updateTouchpointEmail(trx, to.id, {
    subject,
    preheader,
    mjml,
    template_id: hasTemplate ? template_id : null,
    ...(isSameBrand ? { from_name, from_email, reply_to, topic_id } : {}),
    ...(hasFilter ? { filter_id } : {}),
    ...(from.collection === to.collection ? { item_id, items_count } : {}),
  });
}
