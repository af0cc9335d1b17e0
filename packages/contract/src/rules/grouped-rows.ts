import type { CampaignTouchpoints } from '../campaigns.ts';
import type { BrandSummary, ClientWithBrands } from '../clients.ts';
import type { Figures } from '../figures.ts';
import type { CampaignStatus } from '../states/campaign.ts';
import type { ListedTouchpoint, Touchpoint } from '../touchpoints.ts';

/** A touchpoint in a list. */
export interface TouchpointRow extends Pick<Touchpoint, 'id' | 'name' | 'type' | 'status' | 'updated_at'> {
  figures: Figures | null;
  owner: RowOwner;
}

/** A campaign as the group header of its touchpoints. */
export interface CampaignRow {
  id: string;
  name: string;
  status: CampaignStatus;
  brand: BrandSummary;
  client_name: string;
  figures: Figures | null;
  owner: RowOwner;
}

interface RowOwner {
  client_id: string;
  brand_id: string;
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
  campaigns.flatMap(({ touchpoints, ...campaign }) => {
    const owner = { client_id: campaign.client_id, brand_id: campaign.brand_id };
    return [
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
        owner,
      },
      ...touchpoints.map((row) => ({
        id: row.touchpoint_id,
        name: row.touchpoint_name,
        type: row.touchpoint_type,
        status: row.touchpoint_status,
        updated_at: row.touchpoint_updated_at,
        figures: row.figures,
        owner,
      })),
    ];
  });

/** A client as the group header of its brands. */
export interface ClientRow {
  id: string;
  name: string;
  logo_url: string | null;
  brand_count: number;
  figures: Figures | null;
}

export interface BrandRow extends BrandSummary {
  client_id: string;
  figures: Figures | null;
}

export type ClientListRow = ClientRow | BrandRow;

export const isBrand = (row: ClientListRow): row is BrandRow => 'color' in row;

/** One row per client, followed by its brands, in the server's order. */
export const toClientRows = (clients: readonly ClientWithBrands[]): ClientListRow[] =>
  clients.flatMap(({ brands, ...client }) => [
    {
      id: client.client_id,
      name: client.client_name,
      logo_url: client.client_logo_url,
      brand_count: brands.length,
      figures: client.figures,
    },
    ...brands.map((brand) => ({
      id: brand.brand_id,
      name: brand.brand_name,
      logo_url: brand.brand_logo_url,
      dark_logo_url: brand.brand_dark_logo_url,
      color: brand.brand_color,
      client_id: client.client_id,
      figures: brand.figures,
    })),
  ]);
