import type { ListedCampaign } from '@reachout/contract/campaigns.ts';
import { withFigures, type FigureReader } from '../../clients/figures/figures.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { toCampaign } from './campaign.ts';
import { listRecentCampaigns } from './campaign.queries.ts';

/** The five most recently changed campaigns, with their figures. @param clientId  limits them to this client */
export async function recentCampaigns(
  trx: Transaction,
  reader: FigureReader,
  clientId: string | undefined,
): Promise<ListedCampaign[]> {
  const rows = await listRecentCampaigns(trx, clientId);
  return await withFigures(trx, reader, 'campaign', rows.map(toCampaign));
}
