import { brandShades } from '@reachout/contract/rules/brand-colors.ts';
import { getBrandKit, toBrandContext } from '../../clients/brands/brand-kit.ts';
import type { EmailContext } from '../../email/email-content.ts';
import type { Transaction } from '../../platform/database/database.ts';

const exampleOf = (name: string) => ({ id: '00000000-0000-7000-8000-000000000000', name });

/** Placeholder values for previews of a template that belongs to no campaign yet. */
const exampleContext = {
  organization: exampleOf('Organization'),
  client: exampleOf('Client'),
  brand: {
    ...exampleOf('Brand'),
    color: brandShades.blue.light.fill,
    tint: brandShades.blue.light.tint,
    logo_url: null,
    dark_logo_url: null,
    postal_address: 'Brand Inc. · 1 Example Street · 12345 Example City',
    imprint: 'Managing director: Alex Example',
    imprint_url: 'https://example.com/imprint',
  },
  campaign: exampleOf('Campaign'),
  touchpoint: exampleOf('Email'),
  item: {},
  items: [],
};

/**
 * The context of a template that is shown without an email.
 * @param brandId  null for an example
 * @param publicUrl  has no trailing slash
 * @throws 404
 */
export async function contextOfBrand(
  trx: Transaction,
  brandId: string | null,
  publicUrl: string,
): Promise<EmailContext> {
  if (brandId === null) return exampleContext;
  const kit = await getBrandKit(trx, brandId);
  return {
    ...exampleContext,
    client: { id: kit.client_id, name: kit.client_name },
    brand: toBrandContext(kit, publicUrl),
  };
}

/** Placeholder values for the content of an email besides its template. */
export const exampleContent = {
  subject: '',
  preheader: '',
  from_name: '',
  from_email: 'preview@example.com',
  reply_to: null,
};
