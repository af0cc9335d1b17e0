import type { TouchpointStatus, TouchpointType } from '@reachout/contract/statuses.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import type { Transitions } from '../../platform/transitions.ts';

/**
 * Email: draft → scheduled → sending ⇄ paused → sent, triggered ones
 * draft → active ⇄ paused; website: draft → active ⇄ paused; archived from any state but sending.
 * Beside it, the ways back: a send that is cancelled before anything left, or that failed, makes a draft again, and so
 * does taking a touchpoint out of the archive.
 */
export const touchpointTransitions: Record<TouchpointType, Transitions<TouchpointStatus>> = {
  email: {
    draft: ['scheduled', 'active', 'archived'],
    scheduled: ['sending', 'draft', 'archived'],
    sending: ['paused', 'sent', 'draft'],
    sent: ['archived'],
    active: ['paused', 'archived'],
    paused: ['sending', 'active', 'sent', 'draft', 'archived'],
    archived: ['draft'],
  },
  website: {
    draft: ['active', 'archived'],
    scheduled: [],
    sending: [],
    sent: [],
    active: ['paused', 'archived'],
    paused: ['active', 'archived'],
    archived: ['draft'],
  },
};

const lockedStatuses: readonly TouchpointStatus[] = ['scheduled', 'sending', 'paused', 'sent'];

/** What a person has confirmed to send, or has sent, stays as it is. */
export const isEmailLocked = (status: TouchpointStatus): boolean => lockedStatuses.includes(status);

/** A row of current_touchpoints. */
export interface TouchpointRow extends Omit<Touchpoint, 'campaign' | 'brand' | 'client'> {
  campaign_name: string;
  brand_id: string;
  brand_name: string;
  brand_logo_url: string | null;
  client_id: string;
  client_name: string;
}

export const toTouchpoint = ({
  campaign_name,
  brand_id,
  brand_name,
  brand_logo_url,
  client_id,
  client_name,
  ...row
}: TouchpointRow): Touchpoint => ({
  ...row,
  campaign: { id: row.campaign_id, name: campaign_name },
  brand: { id: brand_id, name: brand_name, logo_url: brand_logo_url },
  client: { id: client_id, name: client_name },
});
