import type { TouchpointStatus } from './touchpoint.ts';
import { isPossible, type Transitions } from './transitions.ts';

export const campaignStatuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'archived'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/**
 * A person archives and reopens. All other changes follow from the touchpoints (`campaignStatusFrom`): a completed
 * campaign, and one that was reopened, goes on when another touchpoint is confirmed.
 */
export const campaignTransitions: Transitions<CampaignStatus> = {
  draft: ['scheduled', 'running', 'archived'],
  scheduled: ['running', 'draft', 'archived'],
  running: ['paused', 'completed', 'scheduled', 'draft'],
  paused: ['running', 'completed', 'archived'],
  completed: ['scheduled', 'running', 'archived'],
  archived: ['draft'],
};

interface Campaign {
  status: CampaignStatus;
}

export const campaignCan = {
  archive: ({ status }: Campaign) => isPossible(campaignTransitions, status, 'archived'),
  reopen: ({ status }: Campaign) => status === 'archived',
  addTouchpoint: ({ status }: Campaign) => status !== 'archived',
  followTouchpoints: ({ status }: Campaign) => status !== 'archived',
} as const;

/**
 * A campaign's status follows its touchpoints: it runs while one is being sent, or when some were sent and more are to
 * come, and is completed once all were sent.
 * @param touchpoints  statuses of its touchpoints
 */
export function campaignStatusFrom(touchpoints: readonly TouchpointStatus[]): CampaignStatus {
  const statuses: TouchpointStatus[] = touchpoints.filter((status) => status !== 'archived');
  const some = (status: TouchpointStatus) => statuses.includes(status);
  if (some('sending')) return 'running';
  if (some('paused')) return 'paused';
  if (some('scheduled')) return some('sent') ? 'running' : 'scheduled';
  if (!some('sent')) return 'draft';
  return statuses.every((status) => status === 'sent') ? 'completed' : 'running';
}
