import type { Campaign } from '@reachout/contract/campaigns.ts';
import type { CampaignStatus, TouchpointStatus } from '@reachout/contract/statuses.ts';
import type { Transitions } from '../../platform/transitions.ts';

/**
 * draft → scheduled → running ⇄ paused → completed; archived from any status but running. Two ways lead back:
 * scheduled → draft when the schedule is cancelled, and archived → draft.
 */
export const campaignTransitions: Transitions<CampaignStatus> = {
  draft: ['scheduled', 'archived'],
  scheduled: ['running', 'draft', 'archived'],
  running: ['paused', 'completed', 'scheduled', 'draft'],
  paused: ['running', 'completed', 'archived'],
  completed: ['archived'],
  archived: ['draft'],
};

/**
 * A campaign's status follows its touchpoints: it runs while one is being sent, or when some were sent and more are to
 * come, and is completed once all were sent.
 * @param statuses of its touchpoints, archived ones left out
 */
export function statusFromTouchpoints(statuses: readonly TouchpointStatus[]): CampaignStatus {
  const some = (status: TouchpointStatus) => statuses.includes(status);
  if (some('sending')) return 'running';
  if (some('paused')) return 'paused';
  if (some('scheduled')) return some('sent') ? 'running' : 'scheduled';
  if (!some('sent')) return 'draft';
  return statuses.every((status) => status === 'sent') ? 'completed' : 'running';
}

/** A row of current_campaigns. */
export interface CampaignRow extends Omit<Campaign, 'brand'> {
  brand_name: string;
  brand_logo_url: string | null;
  client_id: string;
  client_name: string;
}

export const toCampaign = ({
  brand_name,
  brand_logo_url,
  client_id,
  client_name,
  ...row
}: CampaignRow): Campaign => ({
  ...row,
  brand: {
    id: row.brand_id,
    name: brand_name,
    logo_url: brand_logo_url,
    client: { id: client_id, name: client_name },
  },
});
