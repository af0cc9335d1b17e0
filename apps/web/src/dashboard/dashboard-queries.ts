import { hasEnded } from '@reachout/contract/states/send.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

const runningMs = 3_000;

export const recentCampaignsQuery = ({ api, orgId }: OrganizationContext) =>
  api.campaigns.recent.queryOptions({ input: { organization_id: orgId } });

export const recentTouchpointsQuery = ({ api, orgId }: OrganizationContext) =>
  api.touchpoints.recent.queryOptions({ input: { organization_id: orgId } });

export const recentSendsQuery = ({ api, orgId }: OrganizationContext) =>
  api.sends.recent.queryOptions({
    input: { organization_id: orgId },
    meta: { quiet: true },
    refetchInterval: ({ state }) => (state.data?.some((send) => !hasEnded(send)) ? runningMs : false),
  });
