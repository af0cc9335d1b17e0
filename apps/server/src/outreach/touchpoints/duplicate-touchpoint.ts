import { findUsability } from '../../content/collections/content-collection.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { channels } from '../channels/channels.ts';
import { createTouchpoint } from './create-touchpoint.ts';
import { getTouchpoint, updateTouchpoint } from './touchpoint.queries.ts';
import type { TouchpointRow } from './touchpoint.ts';

/**
 * Creates a draft with the content of a touchpoint, without its sends, results and status. A collection that the brand of
 * the copy cannot use is left out.
 * @param campaign_id  of the copy; undefined for the same campaign
 * @throws 404; 409 `campaign_archived`; 422 `invalid_input` for a campaign that does not exist here, or is deleted
 */
export async function duplicateTouchpoint(
  trx: Transaction,
  id: string,
  { name, campaign_id }: { name: string; campaign_id?: string | undefined },
): Promise<TouchpointRow> {
  const original = await getTouchpoint(trx, id);
  const { type, collection, organization_id } = original;
  const copy = await createTouchpoint(trx, {
    campaign_id: campaign_id ?? original.campaign_id,
    name,
    type,
  });
  if (collection !== null && (await findUsability(trx, organization_id, collection, copy)) === 'usable') {
    await updateTouchpoint(trx, copy.id, { collection });
    copy.collection = collection;
  }
  await channels[type].copy(trx, original, copy);
  return await getTouchpoint(trx, copy.id);
}
