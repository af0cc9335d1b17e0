import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { CampaignRow } from './campaign.ts';
import { getCampaign, insertCampaign } from './campaign.queries.ts';

/** @throws 422 `invalid_input` for a brand that does not exist here, or is deleted */
export async function createCampaign(
  trx: Transaction,
  { brand_id, name }: { brand_id: string; name: string },
): Promise<CampaignRow> {
  const id = newId();
  if (!(await insertCampaign(trx, { id, brand_id, name })))
    throw invalidInput('brand_id', 'There is no such brand.');
  return await getCampaign(trx, id);
}
