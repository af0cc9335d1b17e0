import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { toCampaign, type CampaignRow } from './campaign.ts';
import { getCampaign, insertCampaign, listRecentCampaigns } from './campaign.queries.ts';
import type { ListedCampaign } from '@reachout/contract/campaigns.ts';
import { withFigures, type FigureReader } from '../../clients/figures/figures.ts';

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

/** For modules of higher layers. @throws 404 unless it exists and is visible */
export const requireCampaign = (trx: Transaction, id: string): Promise<CampaignRow> => getCampaign(trx, id);

/** The five most recently changed campaigns, with their figures. @param clientId  limits them to this client */
export async function recentCampaigns(
  trx: Transaction,
  reader: FigureReader,
  clientId: string | undefined,
): Promise<ListedCampaign[]> {
  const rows = await listRecentCampaigns(trx, clientId);
  return await withFigures(trx, reader, 'campaign', rows.map(toCampaign));
}
