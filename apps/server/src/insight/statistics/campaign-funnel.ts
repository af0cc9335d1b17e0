import type { CampaignFunnel, Funnel } from '@reachout/contract/statistics.ts';
import { requireCampaign } from '../../outreach/campaigns/find-campaign.ts';
import type { Transaction } from '../../platform/database/database.ts';
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
    const { delivered, not_measured, visited, converted, conversions, conversion_value } = stats;
    const clicked = stats.clicked.unique;
    emails.push({
      touchpoint,
      delivered,
      not_measured,
      clicked,
      visited,
      converted,
      conversions,
      conversion_value,
    });
  }
  return { total: emails.reduce(add, none), emails };
}

const none: Funnel = {
  delivered: 0,
  not_measured: 0,
  clicked: 0,
  visited: 0,
  converted: 0,
  conversions: 0,
  conversion_value: 0,
};

const add = (sum: Funnel, row: Funnel): Funnel => ({
  delivered: sum.delivered + row.delivered,
  not_measured: sum.not_measured + row.not_measured,
  clicked: sum.clicked + row.clicked,
  visited: sum.visited + row.visited,
  converted: sum.converted + row.converted,
  conversions: sum.conversions + row.conversions,
  conversion_value: sum.conversion_value + row.conversion_value,
});
