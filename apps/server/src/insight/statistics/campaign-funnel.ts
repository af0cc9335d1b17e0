import { funnelColumns } from '@reachout/contract/rules/funnel.ts';
import type { CampaignFunnel } from '@reachout/contract/statistics.ts';
import { readCountedUntil } from '../../events/counted-until.ts';
import { requireCampaign } from '../../outreach/campaigns/campaigns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addUp } from './add-up.ts';
import { sumFunnels } from './campaign-funnel.queries.ts';

/** @returns the funnel of each email of a campaign, and their sum. @throws 404 */
export async function readCampaignFunnel(
  trx: Transaction,
  organizationId: string,
  campaignId: string,
): Promise<CampaignFunnel> {
  await requireCampaign(trx, campaignId);
  const counted = await readCountedUntil(trx, organizationId, 'message');
  const funnels = await sumFunnels(trx, organizationId, campaignId);
  return {
    total: addUp(funnels, funnelColumns),
    emails: funnels.map(({ id, name, ...funnel }) => ({ touchpoint: { id, name }, ...funnel })),
    counted,
  };
}
