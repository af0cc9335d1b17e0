import type { Transaction } from '../../platform/database/database.ts';
import type { CampaignRow } from './campaign.ts';
import { getCampaign } from './campaign.queries.ts';

/** For modules of higher layers. @throws 404 unless it exists and is visible */
export const requireCampaign = (trx: Transaction, id: string): Promise<CampaignRow> => getCampaign(trx, id);
