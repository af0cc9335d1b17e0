import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { requireUsable } from '../../content/collections/content-collection.ts';
import { assertTakesTouchpoints, touchCampaign } from '../campaigns/campaign-status.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { channels } from '../channels/channels.ts';
import type { TouchpointRow } from './touchpoint.ts';
import { getTouchpoint, insertTouchpoint } from './touchpoint.queries.ts';

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
