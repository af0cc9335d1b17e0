import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { splitBrand, type BrandColumns } from '../../clients/brands/brand.ts';

export interface TouchpointRow extends Omit<Touchpoint, 'campaign' | 'brand' | 'client'>, BrandColumns {
  campaign_name: string;
  campaign_status: Touchpoint['campaign']['status'];
  client_id: string;
  client_name: string;
}

export function toTouchpoint(full: TouchpointRow): Touchpoint {
  const [brand, { campaign_name, campaign_status, client_id, client_name, ...row }] = splitBrand(full);
  return {
    ...row,
    campaign: { id: row.campaign_id, name: campaign_name, status: campaign_status },
    brand,
    client: { id: client_id, name: client_name },
  };
}
