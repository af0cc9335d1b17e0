import { brandShades } from '@reachout/contract/rules/brand-colors.ts';
import type { Brand } from '@reachout/contract/clients.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { linesOf } from './brand.ts';
import { getBrand } from './brand.queries.ts';

/** What the modules above know of a brand. */
export type BrandKit = Omit<Brand, 'client' | 'error_content' | 'created_at' | 'updated_at'>;

/** @throws 404 */
export async function getBrandKit(trx: Transaction, brandId: string): Promise<BrandKit> {
  const {
    client_name: _client,
    error_content: _error,
    created_at: _created,
    updated_at: _updated,
    ...kit
  } = await getBrand(trx, brandId);
  return kit;
}

/** The sender of a new email. A sender name can’t contain @, the name of a brand can. */
export const defaultSender = ({ name, from_name, from_email, reply_to }: BrandKit) => ({
  from_name: from_name === '' ? name.replaceAll('@', ' ').trim() : from_name,
  from_email,
  reply_to,
});

/** The `brand` of templates. What is missing is null, which conditions tell from text. */
export interface BrandContext {
  id: string;
  name: string;
  /** Of the light theme, since emails are light first: `#rrggbb`, white words on it have a contrast of 4.5:1. */
  color: string;
  /** PNG, for everybody. */
  logo_url: string | null;
  dark_logo_url: string | null;
  /** The lines of texts in one: a template has no say in how many there are. */
  postal_address: string | null;
  imprint: string | null;
  imprint_url: string | null;
}

/** @param publicUrl  without a slash at the end */
export function toBrandContext(kit: BrandKit, publicUrl: string): BrandContext {
  const { id, name, color, logo_url, dark_logo_url, imprint_url } = kit;
  const inOneLine = (text: string) => linesOf(text).join(' · ') || null;
  return {
    id,
    name,
    color: brandShades[color].light.fill,
    logo_url: logo_url && `${publicUrl}/l/${id}.png`,
    dark_logo_url: dark_logo_url && `${publicUrl}/l/${id}-dark.png`,
    postal_address: inOneLine(kit.postal_address),
    imprint: inOneLine(kit.imprint),
    imprint_url,
  };
}
