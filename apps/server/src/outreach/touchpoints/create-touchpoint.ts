import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { requireUsable, findUsability } from '../../content/collections/content-collection.ts';
import { assertTakesTouchpoints, touchCampaign } from '../campaigns/campaign-status.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { channels } from '../channels/channels.ts';
import type { TouchpointRow } from './touchpoint.ts';
import { getTouchpoint, insertTouchpoint, updateTouchpoint } from './touchpoint.queries.ts';

/**
 * @param collection  of the content items that it shows
 * @throws 409 `campaign_archived`; 422 `invalid_input` for a campaign that does not exist here, or is deleted, and for a
 *   collection that its brand cannot use
 */
export async function createTouchpoint(
  trx: Transaction,
  {
    campaign_id,
    name,
    type,
    collection = null,
  }: { campaign_id: string; name: string; type: TouchpointType; collection?: string | null | undefined },
): Promise<TouchpointRow> {
  const id = newId();
  if (!(await insertTouchpoint(trx, { id, campaign_id, name, type, collection }))) {
    throw invalidInput('campaign_id', 'There is no such campaign.');
  }
  await assertTakesTouchpoints(trx, campaign_id);
  const touchpoint = await getTouchpoint(trx, id);
  if (collection !== null) await requireUsable(trx, touchpoint.organization_id, collection, touchpoint);
  await channels[type].create(trx, touchpoint);
  await touchCampaign(trx, campaign_id);
  return touchpoint;
}

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
