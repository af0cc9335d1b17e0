import type { SenderScope } from '../../email/transports/sender-policy.ts';
import { findCampaignOf } from '../../outreach/touchpoints/find-touchpoint.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getBrandAndTouchpoint } from '../../queue/send.queries.ts';
import type { SendKey } from '../../queue/send-statements.ts';

/** @returns whose emails the messages of a send are */
export async function senderScopeOf(
  trx: Transaction,
  { organizationId, sendId }: SendKey,
): Promise<SenderScope> {
  const { brand_id: brandId, touchpoint_id } = await getBrandAndTouchpoint(trx, sendId);
  return { organizationId, brandId, campaignId: await findCampaignOf(trx, touchpoint_id) };
}
