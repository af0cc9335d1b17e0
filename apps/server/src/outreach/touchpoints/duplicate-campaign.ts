import { maxRecords } from '@reachout/contract/operation.ts';
import { tooManyRecords } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { CampaignRow } from '../campaigns/campaign.ts';
import { getCampaign } from '../campaigns/campaign.queries.ts';
import { createCampaign } from '../campaigns/create-campaign.ts';
import { duplicateTouchpoint } from './duplicate-touchpoint.ts';
import { listTouchpoints } from './touchpoint.queries.ts';

/**
 * Creates a draft for the same brand with copies of all touchpoints that are not archived, under their names.
 * @throws 404; 409 `too_many_records` if the campaign has more touchpoints than can be copied at once
 */
export async function duplicateCampaign(
  trx: Transaction,
  id: string,
  { name }: { name: string },
): Promise<CampaignRow> {
  const original = await getCampaign(trx, id);
  const { rows, count } = await listTouchpoints(trx, {
    campaign_id: id,
    order: 'name.asc',
    page: 0,
    page_size: maxRecords,
  });
  if (count > maxRecords) throw tooManyRecords(maxRecords);
  const copy = await createCampaign(trx, { brand_id: original.brand_id, name });
  for (const touchpoint of rows)
    if (touchpoint.status !== 'archived')
      await duplicateTouchpoint(trx, touchpoint.id, { name: touchpoint.name, campaign_id: copy.id });
  return await getCampaign(trx, copy.id);
}
