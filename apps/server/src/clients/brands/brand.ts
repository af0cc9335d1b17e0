import { createHash } from 'node:crypto';
import type { Brand, BrandSummary, ClientWithBrands } from '@reachout/contract/clients.ts';
import type { Figures } from '@reachout/contract/figures.ts';
import { brandColors, type BrandColor } from '@reachout/contract/rules/brand-colors.ts';
import type { Row } from '../../platform/database/database.ts';
import { invalidInput } from '../../platform/http/api-error.ts';

export interface BrandRow extends Omit<Brand, 'client'> {
  client_name: string;
}

export const toBrand = ({ client_name, ...row }: BrandRow): Brand => ({
  ...row,
  client: { id: row.client_id, name: client_name },
});

/** The columns of a brand in rows that belong to it. */
export const brandColumns = [
  'brand_id',
  'brand_name',
  'brand_logo_url',
  'brand_dark_logo_url',
  'brand_color',
] as const;
export type BrandColumns = Row<'current_campaigns', (typeof brandColumns)[number]>;

/** Splits a row into the brand and the other columns. */
export const splitBrand = <R extends BrandColumns>({
  brand_id,
  brand_name,
  brand_logo_url,
  brand_dark_logo_url,
  brand_color,
  ...row
}: R): [brand: BrandSummary, row: Omit<R, keyof BrandColumns>] => [
  {
    id: brand_id,
    name: brand_name,
    logo_url: brand_logo_url,
    dark_logo_url: brand_dark_logo_url,
    color: brand_color,
  },
  row,
];

/** Initial color of a brand: derived from its name, regardless of case. */
export const colorOfName = (name: string): BrandColor =>
  brandColors[createHash('sha256').update(name.toLowerCase()).digest().readUInt16BE() % brandColors.length]!;

/** Removes blank lines from multi-line texts. */
export const toColumns = <T extends { postal_address?: string | undefined; imprint?: string | undefined }>(
  changes: T,
): T => ({
  ...changes,
  ...(changes.postal_address === undefined
    ? {}
    : { postal_address: linesOf(changes.postal_address).join('\n') }),
  ...(changes.imprint === undefined ? {} : { imprint: linesOf(changes.imprint).join('\n') }),
});

/** @throws 422 `invalid_input` for one of the two times alone, and for equal ones */
export function checkQuietHours({
  quiet_hours_start: start,
  quiet_hours_end: end,
}: {
  quiet_hours_start?: string | null | undefined;
  quiet_hours_end?: string | null | undefined;
}): void {
  if ((start ?? null) === null && (end ?? null) === null) return;
  if ((start ?? null) === null) throw invalidInput('quiet_hours_start', 'Enter when the quiet hours begin.');
  if ((end ?? null) === null) throw invalidInput('quiet_hours_end', 'Enter when the quiet hours end.');
  if (start === end)
    throw invalidInput('quiet_hours_end', 'Quiet hours end at another time than they begin.');
}

/** The lines of a text, trimmed, without blank ones. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A brand of a client, as shown by the search over clients and brands. */
export type BrandOfClientRow = Omit<ClientWithBrands['brands'][number], 'figures'> & { client_id: string };

export type ClientNameRow = Row<'clients_brands', 'client_id' | 'client_name' | 'client_logo_url'>;

interface FiguresById {
  ofClient: (id: string) => Figures | null;
  ofBrand: (id: string) => Figures | null;
}

/** Groups brands by client; keeps both orders. */
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
