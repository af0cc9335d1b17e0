import { campaignStatusFrom } from '@reachout/contract/states/campaign.ts';
import type { TouchpointStatus } from '@reachout/contract/states/touchpoint.ts';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { insertPastCampaigns } from '../campaigns/past-campaigns.queries.ts';
import { insertPastEmails } from '../channels/email/past-emails.queries.ts';
import { insertGoals, type NewGoal } from '../channels/website/conversion-goal.queries.ts';
import { insertTouchpointWebsite } from '../channels/website/touchpoint-website.queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { newToken } from '../../platform/secrets.ts';
import { insertPastTouchpoints } from './past-touchpoints.queries.ts';

interface NewPastTouchpoint {
  touchpoint_id: string;
  name: string;
  status: TouchpointStatus;
  created_at: Date;
  updated_at: Date;
}

export interface NewPastEmail
  extends
    NewPastTouchpoint,
    Omit<TouchpointEmail, 'id' | 'touchpoint_id' | 'filter' | 'item_id' | 'items_count' | 'updated_at'> {}

export interface NewPastWebsite extends NewPastTouchpoint {
  hosts: string[];
  goals: readonly NewGoal[];
}

export interface NewPastCampaign {
  id: string;
  brand_id: string;
  name: string;
  emails: readonly NewPastEmail[];
  websites?: readonly NewPastWebsite[];
}

/** Creates past campaigns with their touchpoints, in bulk. Their statuses are derived from those of the touchpoints. */
export async function createPastCampaigns(
  trx: Transaction,
  organizationId: string,
  campaigns: readonly NewPastCampaign[],
): Promise<void> {
  const placed = campaigns.map(({ emails, websites = [], ...campaign }) => ({
    campaign,
    touchpoints: [
      ...emails.map((email) => ({ ...email, type: 'email' as const })),
      ...websites.map((website) => ({ ...website, type: 'website' as const })),
    ],
  }));
  await insertPastCampaigns(
    trx,
    organizationId,
    placed.map(({ campaign, touchpoints }) => ({
      ...campaign,
      status: campaignStatusFrom(touchpoints),
      created_at: earliest(touchpoints.map(({ created_at }) => created_at)),
      updated_at: latest(touchpoints.map(({ updated_at }) => updated_at)),
    })),
  );
  await insertPastTouchpoints(
    trx,
    organizationId,
    placed.flatMap(({ campaign, touchpoints }) =>
      touchpoints.map(({ touchpoint_id, name, type, status, created_at, updated_at }) => ({
        id: touchpoint_id,
        campaign_id: campaign.id,
        name,
        type,
        status,
        created_at,
        updated_at,
      })),
    ),
  );
  await insertPastEmails(
    trx,
    organizationId,
    campaigns.flatMap(({ emails }) => emails.map((email) => ({ ...email, id: newId() }))),
  );
  for (const { touchpoint_id, hosts, goals, created_at } of campaigns.flatMap(
    ({ websites = [] }) => websites,
  )) {
    const place = { organization_id: organizationId, touchpoint_id };
    await insertTouchpointWebsite(trx, { ...place, id: newId(), hosts, token: newToken() });
    await insertGoals(trx, place, goals, created_at);
  }
}

const earliest = (dates: readonly Date[]): Date => new Date(Math.min(...dates.map(Number)));
const latest = (dates: readonly Date[]): Date => new Date(Math.max(...dates.map(Number)));
