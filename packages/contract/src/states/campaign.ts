import { isSent, type TouchpointStatus, type TouchpointType } from './touchpoint.ts';
import { isPossible, type Transitions } from './transitions.ts';

export const campaignStatuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'archived'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/**
 * Users archive and reopen campaigns (`campaignCan`). All other changes follow from the touchpoints (`campaignStatusFrom`):
 * a completed or reopened campaign continues when another touchpoint is confirmed.
 */
export const campaignTransitions: Transitions<CampaignStatus> = {
  draft: ['scheduled', 'running', 'archived'],
  scheduled: ['running', 'paused', 'draft'],
  running: ['paused', 'completed', 'scheduled', 'draft'],
  paused: ['running', 'completed', 'scheduled', 'draft'],
  completed: ['scheduled', 'running', 'archived'],
  archived: ['draft', 'completed'],
};

interface Campaign {
  status: CampaignStatus;
}

export const campaignCan = {
  archive: ({ status }: Campaign) => isPossible(campaignTransitions, status, 'archived'),
  reopen: ({ status }: Campaign) => status === 'archived',
  addTouchpoint: ({ status }: Campaign) => status !== 'archived',
  followTouchpoints: ({ status }: Campaign) => status !== 'archived',
  /** The removed (archived or deleted) touchpoint may have been the last one that a running campaign waited for. */
  followRemoval: ({ status }: Campaign) => status === 'running',
  /**
   * A restored touchpoint may be the one that the campaign was waiting for before it was completed.
   * @param now  the status derived from its touchpoints
   */
  followReturn: ({ status }: Campaign, now: CampaignStatus) => status === 'completed' && now === 'running',
} as const;

/**
 * A campaign's status follows from its touchpoints that are sent: it is running while one is being sent or takes single
 * messages, or when some were sent and others are still to come; it is completed once all were sent.
 */
export function campaignStatusFrom(
  touchpoints: readonly { type: TouchpointType; status: TouchpointStatus }[],
): CampaignStatus {
  const statuses = touchpoints
    .filter(({ type, status }) => isSent(type) && status !== 'archived')
    .map(({ status }) => status);
  const some = (status: TouchpointStatus) => statuses.includes(status);
  if (some('sending') || some('active')) return 'running';
  if (some('paused')) return 'paused';
  if (some('scheduled')) return some('sent') ? 'running' : 'scheduled';
  if (!some('sent')) return 'draft';
  return statuses.every((status) => status === 'sent') ? 'completed' : 'running';
}
