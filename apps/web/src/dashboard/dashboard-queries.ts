import { hasEnded } from '@reachout/contract/states/send.ts';
import { compact } from '#web/platform/list-search.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

const runningMs = 3_000;

export const recentCampaignsQuery = ({ api, orgId, clientId }: OrganizationContext) =>
  api.campaigns.recent.queryOptions({ input: compact({ organization_id: orgId, client_id: clientId }) });

export const recentTouchpointsQuery = ({ api, orgId, clientId }: OrganizationContext) =>
  api.touchpoints.recent.queryOptions({ input: compact({ organization_id: orgId, client_id: clientId }) });

export const recentSendsQuery = ({ api, orgId, clientId }: OrganizationContext) =>
  api.sends.recent.queryOptions({
    input: compact({ organization_id: orgId, client_id: clientId }),
    meta: { quiet: true },
    refetchInterval: ({ state }) => (state.data?.some((send) => !hasEnded(send)) ? runningMs : false),
  });
