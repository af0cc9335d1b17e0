import type { Brand } from '@reachout/contract/clients.ts';

/** A row of current_brands. */
export interface BrandRow extends Omit<Brand, 'client'> {
  client_name: string;
}

export const toBrand = ({ client_name, ...row }: BrandRow): Brand => ({
  ...row,
  client: { id: row.client_id, name: client_name },
});

/** A client with its brands, as the search over both shows them. */
export interface BrandOfClientRow {
  client_id: string;
  brand_id: string;
  brand_name: string;
  brand_logo_url: string | null;
}

export interface ClientNameRow {
  client_id: string;
  client_name: string;
  client_logo_url: string | null;
}

/** Hangs brands under their clients; keeps both orders. */
export function groupByClient(clients: ClientNameRow[], brands: BrandOfClientRow[]) {
  const brandsOf = Map.groupBy(brands, (brand) => brand.client_id);
  return clients.map((client) => ({
    ...client,
    brands: (brandsOf.get(client.client_id) ?? []).map(({ brand_id, brand_name, brand_logo_url }) => ({
      brand_id,
      brand_name,
      brand_logo_url,
    })),
  }));
}
