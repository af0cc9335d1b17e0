import type { CampaignTouchpoints } from '@reachout/contract/campaigns.ts';
import type { BrandSummary } from '@reachout/contract/clients.ts';
import type { Figures } from '@reachout/contract/figures.ts';
import type { CampaignStatus } from '@reachout/contract/states/campaign.ts';
import type { ListedTouchpoint, Touchpoint } from '@reachout/contract/touchpoints.ts';

/** A touchpoint in a list. */
export interface TouchpointRow extends Pick<Touchpoint, 'id' | 'name' | 'type' | 'status' | 'updated_at'> {
  figures: Figures | null;
  /** Its client and brand, if the list knows them. */
  owner?: { client_id: string; brand_id: string };
}

/** A campaign as the group header of its touchpoints. */
export interface CampaignRow {
  id: string;
  name: string;
  status: CampaignStatus;
  brand: BrandSummary;
  client_name: string;
  figures: Figures | null;
}

export type GroupedRow = CampaignRow | TouchpointRow;

export const isTouchpoint = (row: GroupedRow): row is TouchpointRow => !('brand' in row);

export const toTouchpointRow = (touchpoint: ListedTouchpoint): TouchpointRow => ({
  id: touchpoint.id,
  name: touchpoint.name,
  type: touchpoint.type,
  status: touchpoint.status,
  updated_at: touchpoint.updated_at,
  figures: touchpoint.figures,
  owner: { client_id: touchpoint.client.id, brand_id: touchpoint.brand.id },
});

/** One row per campaign, followed by its touchpoints, in the server's order. */
export const toGroupedRows = (campaigns: readonly CampaignTouchpoints[]): GroupedRow[] =>
  campaigns.flatMap(({ touchpoints, ...campaign }) => [
    {
      id: campaign.campaign_id,
      name: campaign.campaign_name,
      status: campaign.campaign_status,
      brand: {
        id: campaign.brand_id,
        name: campaign.brand_name,
        logo_url: campaign.brand_logo_url,
        dark_logo_url: campaign.brand_dark_logo_url,
        color: campaign.brand_color,
      },
      client_name: campaign.client_name,
      figures: campaign.figures,
    },
    ...touchpoints.map((row) => ({
      id: row.touchpoint_id,
      name: row.touchpoint_name,
      type: row.touchpoint_type,
      status: row.touchpoint_status,
      updated_at: row.touchpoint_updated_at,
      figures: row.figures,
    })),
  ]);
