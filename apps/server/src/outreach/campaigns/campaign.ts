import type { Campaign } from '@reachout/contract/campaigns.ts';
import { splitBrand, type BrandColumns } from '../../clients/brands/brand.ts';

export interface CampaignRow extends Omit<Campaign, 'brand'>, BrandColumns {
  client_id: string;
  client_name: string;
}

export function toCampaign(full: CampaignRow): Campaign {
  const [brand, { client_id, client_name, ...row }] = splitBrand(full);
  return { ...row, brand_id: brand.id, brand: { ...brand, client: { id: client_id, name: client_name } } };
}
