import { brandShades } from '@reachout/contract/rules/brand-colors.ts';
import type { Brand } from '@reachout/contract/clients.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { linesOf } from './brand.ts';
import { getBrand } from './brand.queries.ts';

/** The part of a brand that higher layers use. */
export interface BrandKit extends Omit<Brand, 'client' | 'error_content' | 'created_at' | 'updated_at'> {
  client_name: string;
}

/** @throws 404 */
export async function getBrandKit(trx: Transaction, brandId: string): Promise<BrandKit> {
  const {
    error_content: _error,
    created_at: _created,
    updated_at: _updated,
    ...kit
  } = await getBrand(trx, brandId);
  return kit;
}

/** The sender of a new email. A sender name can’t contain @, but a brand name can. */
export const defaultSender = ({ name, from_name, from_email, reply_to }: BrandKit) => ({
  from_name: from_name === '' ? name.replaceAll('@', ' ').trim() : from_name,
  from_email,
  reply_to,
});

/**
 * @returns the `brand` of templates. Missing values are null, which conditions distinguish from text.
 * @param publicUrl  without a slash at the end
 */
export function toBrandContext(kit: Omit<BrandKit, 'client_name'>, publicUrl: string) {
  const { id, name, color, logo_url, dark_logo_url, imprint_url } = kit;
  const inOneLine = (text: string) => linesOf(text).join(' · ') || null;
  return {
    id,
    name,
    /** Light-theme color, since emails are light by default: `#rrggbb`, on which white text has a contrast of 4.5:1. */
    color: brandShades[color].light.fill,
    /** A light background in that color: `#rrggbb`. */
    tint: brandShades[color].light.tint,
    /** URL of a PNG, accessible without sign-in. */
    logo_url: logo_url && `${publicUrl}/l/${id}.png`,
    dark_logo_url: dark_logo_url && `${publicUrl}/l/${id}-dark.png`,
    /** All lines joined into one: a template cannot control how many there are. */
    postal_address: inOneLine(kit.postal_address),
    imprint: inOneLine(kit.imprint),
    imprint_url,
  };
}
