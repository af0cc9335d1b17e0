import { isUsableFor } from '@reachout/contract/rules/owners.ts';
import { findTemplate } from '../../../content/templates/templates.ts';
import { createBuiltInBackend } from '../../../content/built-in/built-in-backend.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { TouchpointRow } from '../../touchpoints/touchpoint.ts';
import { getTouchpointEmail, lockFilterForUse, updateTouchpointEmail } from './touchpoint-email.queries.ts';

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
