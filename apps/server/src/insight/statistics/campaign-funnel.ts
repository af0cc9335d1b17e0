import { funnelColumns, toFunnel } from '@reachout/contract/rules/funnel.ts';
import type { CampaignFunnel } from '@reachout/contract/statistics.ts';
import { requireCampaign } from '../../outreach/campaigns/find-campaign.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addUp } from './add-up.ts';
import { listCampaignEmails } from './conversions.queries.ts';
import { countEmailStats } from './email-statistics.ts';

/** @returns the funnel of each email of a campaign, and their sum. @throws 404 */
export async function readCampaignFunnel(
  trx: Transaction,
  organizationId: string,
  campaignId: string,
): Promise<CampaignFunnel> {
  await requireCampaign(trx, campaignId);
  const emails: CampaignFunnel['emails'] = [];
  for (const touchpoint of await listCampaignEmails(trx, organizationId, campaignId)) {
    const stats = await countEmailStats(trx, { organizationId, touchpointId: touchpoint.id });
    emails.push({ touchpoint, ...toFunnel(stats) });
  }
  return { total: addUp(emails, funnelColumns), emails };
}
