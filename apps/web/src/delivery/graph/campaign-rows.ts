import type { TouchpointEvent } from '@reachout/contract/event-graph.ts';
import { toConnections, type Connection } from '@reachout/contract/rules/connections.ts';

/** A campaign as the heading of its connections. */
export type CampaignRow = Pick<TouchpointEvent, 'id' | 'campaign' | 'brand'>;

/** One row for each campaign, followed by its connections, in the order of names. */
export const toCampaignRows = (events: readonly TouchpointEvent[]): (Connection | CampaignRow)[] =>
  [...Map.groupBy(events, ({ campaign_id }) => campaign_id).values()]
    .toSorted(([one], [other]) => one!.campaign.name.localeCompare(other!.campaign.name))
    .flatMap((some) => [
      { id: some[0]!.campaign_id, campaign: some[0]!.campaign, brand: some[0]!.brand },
      ...toConnections(some),
    ]);
