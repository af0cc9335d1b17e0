import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** How often a screen asks, while it is visible. */
export const pollMs = 2_000;

/** Once events arrive, only drops and the time of the latest one change. */
const rarelyMs = 10_000;

export const websiteQuery = ({ api }: OrganizationContext, touchpointId: string) =>
  api.websites.get.queryOptions({
    input: { id: touchpointId },
    refetchInterval: ({ state }) => (state.data?.first_event === null ? pollMs : rarelyMs),
    meta: { quiet: true },
  });
