import type { Touchpoint } from '@reachout/contract/touchpoints.ts';

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
