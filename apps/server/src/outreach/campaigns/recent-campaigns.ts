import type { Campaign } from '@reachout/contract/campaigns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { toCampaign } from './campaign.ts';
import { listRecentCampaigns } from './campaign.queries.ts';

/** The five campaigns that changed last. @param clientId  only those of this client */
export const recentCampaigns = async (trx: Transaction, clientId: string | undefined): Promise<Campaign[]> =>
  (await listRecentCampaigns(trx, clientId)).map(toCampaign);
