import type { BrandSummary, ClientWithBrands } from '@reachout/contract/clients.ts';
import type { Figures } from '@reachout/contract/figures.ts';

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
