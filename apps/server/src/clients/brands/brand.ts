import { createHash } from 'node:crypto';
import type { Brand, BrandSummary, ClientWithBrands } from '@reachout/contract/clients.ts';
import type { Figures } from '@reachout/contract/figures.ts';
import { brandColors, type BrandColor } from '@reachout/contract/rules/brand-colors.ts';

/** A row of current_brands. */
export interface BrandRow extends Omit<Brand, 'client'> {
  client_name: string;
}

export const toBrand = ({ client_name, ...row }: BrandRow): Brand => ({
  ...row,
  client: { id: row.client_id, name: client_name },
});

/** What rows have of the brand that they belong to. */
export const brandColumns = [
  'brand_id',
  'brand_name',
  'brand_logo_url',
  'brand_dark_logo_url',
  'brand_color',
] as const;
export type BrandColumns = {
  [Column in (typeof brandColumns)[number]]: Column extends `brand_${infer Name extends keyof BrandSummary}`
    ? BrandSummary[Name]
    : never;
};

/** Parts a row into the brand and all else. */
export function splitBrand<Row extends BrandColumns>({
  brand_id,
  brand_name,
  brand_logo_url,
  brand_dark_logo_url,
  brand_color,
  ...row
}: Row): [brand: BrandSummary, row: Omit<Row, keyof BrandColumns>] {
  return [
    {
      id: brand_id,
      name: brand_name,
      logo_url: brand_logo_url,
      dark_logo_url: brand_dark_logo_url,
      color: brand_color,
    },
    row,
  ];
}

/** The color that a brand of this name begins with: always the same, whatever the case of its letters. */
export const colorOfName = (name: string): BrandColor =>
  brandColors[createHash('sha256').update(name.toLowerCase()).digest().readUInt16BE() % brandColors.length]!;

/** Texts of several lines are kept without blank ones. */
export const toColumns = <T extends { postal_address?: string | undefined; imprint?: string | undefined }>(
  changes: T,
): T => ({
  ...changes,
  ...(changes.postal_address === undefined
    ? {}
    : { postal_address: linesOf(changes.postal_address).join('\n') }),
  ...(changes.imprint === undefined ? {} : { imprint: linesOf(changes.imprint).join('\n') }),
});

/** Trimmed, without blank ones. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A client with its brands, as the search over both shows them. */
export type BrandOfClientRow = ClientWithBrands['brands'][number] & { client_id: string };

export interface ClientNameRow {
  client_id: string;
  client_name: string;
  client_logo_url: string | null;
}

interface FiguresById {
  ofClient: (id: string) => Figures | null;
  ofBrand: (id: string) => Figures | null;
}

/** Hangs brands under their clients; keeps both orders. */
export function groupByClient(
  clients: ClientNameRow[],
  brands: BrandOfClientRow[],
  { ofClient, ofBrand }: FiguresById,
): ClientWithBrands[] {
  const brandsOf = Map.groupBy(brands, (brand) => brand.client_id);
  return clients.map((client) => ({
    ...client,
    figures: ofClient(client.client_id),
    brands: (brandsOf.get(client.client_id) ?? []).map(({ client_id: _client, ...brand }) => ({
      ...brand,
      figures: ofBrand(brand.brand_id),
    })),
  }));
}
