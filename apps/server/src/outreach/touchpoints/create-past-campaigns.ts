import { campaignStatusFrom } from '@reachout/contract/states/campaign.ts';
import type { TouchpointStatus } from '@reachout/contract/states/touchpoint.ts';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { insertPastCampaigns } from '../campaigns/past-campaigns.queries.ts';
import { insertPastEmails } from '../channels/email/past-emails.queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { insertPastTouchpoints } from './past-touchpoints.queries.ts';

export interface NewPastEmail extends Omit<
  TouchpointEmail,
  'id' | 'touchpoint_id' | 'filter' | 'item_id' | 'items_count' | 'updated_at'
> {
  touchpoint_id: string;
  name: string;
  status: TouchpointStatus;
  created_at: Date;
  updated_at: Date;
}

export interface NewPastCampaign {
  id: string;
  brand_id: string;
  name: string;
  emails: readonly NewPastEmail[];
}

/** Creates past campaigns with their emails, in bulk. Their statuses are derived from those of the emails. */
export async function createPastCampaigns(
  trx: Transaction,
  organizationId: string,
  campaigns: readonly NewPastCampaign[],
): Promise<void> {
  const rows = campaigns.map(({ emails, ...campaign }) => ({
    ...campaign,
    status: campaignStatusFrom(emails.map(({ status }) => ({ type: 'email', status }))),
    created_at: earliest(emails.map(({ created_at }) => created_at)),
    updated_at: latest(emails.map(({ updated_at }) => updated_at)),
  }));
  await insertPastCampaigns(trx, organizationId, rows);
  const emails = campaigns.flatMap((campaign) =>
    campaign.emails.map((email) => ({ ...email, campaign_id: campaign.id })),
  );
  await insertPastTouchpoints(
    trx,
    organizationId,
    emails.map(({ touchpoint_id, campaign_id, name, status, created_at, updated_at }) => ({
      id: touchpoint_id,
      campaign_id,
      name,
      type: 'email',
      status,
      created_at,
      updated_at,
    })),
  );
  await insertPastEmails(
    trx,
    organizationId,
    emails.map((email) => ({ ...email, id: newId() })),
  );
}

const earliest = (dates: readonly Date[]): Date => new Date(Math.min(...dates.map(Number)));
const latest = (dates: readonly Date[]): Date => new Date(Math.max(...dates.map(Number)));
