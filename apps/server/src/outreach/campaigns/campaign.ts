import type { Campaign } from '@reachout/contract/campaigns.ts';

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
