import type { Brand } from '@reachout/contract/clients.ts';
import type { Rule } from '@reachout/contract/filters.ts';
import { createBrand } from '../../clients/brands/create-brand.ts';
import { createClient } from '../../clients/clients/create-client.ts';
import type { Audience } from '../../content/audiences/audience.ts';
import { createFilter } from '../../content/audiences/create-filter.ts';
import { findAudience } from '../../content/audiences/find-audience.ts';
import { createBuiltInBackend } from '../../content/built-in/built-in-backend.ts';
import { createPastItems } from '../../content/built-in/create-past-items.ts';
import { createTemplate } from '../../content/templates/templates.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { demoMjml } from './demo-mjml.ts';
import { waitWithin } from './demo.queries.ts';
import type { StoreLogo } from './demo-logos.ts';
import type { Person } from './people.ts';
import { brandKeys, clientKeys, plots, type BrandKey, type Story, type Topic } from './story/story.ts';

export interface MakeDemo {
  story: Story;
  userId: string;
  /** Without a trailing slash. */
  publicUrl: string;
  /** False if a mail server is set, which would have to send: the demo then has no running or scheduled sends. */
  hasOpenSends: boolean;
  storeLogo: StoreLogo;
  now: Date;
}

/** The options with the created organization. */
export type Place = MakeDemo & { organizationId: string };

/** Contacts per statement. */
const batchSize = 500;

export async function createBrands(
  trx: Transaction,
  { story, organizationId, storeLogo }: Place,
): Promise<Record<BrandKey, Brand>> {
  const kits: Partial<Record<BrandKey, Brand>> = {};
  for (const client of clientKeys) {
    const { id: client_id } = await createClient(trx, {
      organization_id: organizationId,
      name: story.clients[client],
      logo_url: await waitWithin(trx, storeLogo(organizationId, client)),
    });
    for (const key of brandKeys.filter((brand) => plots[brand].client === client)) {
      const { name, postal_address } = story.brands[key];
      const { color, domain } = plots[key];
      kits[key] = await createBrand(trx, {
        client_id,
        name,
        color,
        logo_url: await waitWithin(trx, storeLogo(organizationId, key)),
        from_name: name,
        from_email: `news@${domain}`,
        reply_to: `hello@${domain}`,
        postal_address,
        imprint_url: `https://${domain}/imprint`,
      });
    }
  }
  return kits as Record<BrandKey, Brand>;
}

export async function createPeople(
  trx: Transaction,
  { organizationId, userId }: Place,
  people: readonly Person[],
): Promise<void> {
  for (let from = 0; from < people.length; from += batchSize)
    await createPastItems(trx, { organizationId, userId }, 'contacts', people.slice(from, from + batchSize));
}

/** A brand with its filter, audience and template. */
export interface EquippedBrand {
  kit: Brand;
  filterId: string;
  audience: Audience;
  templateId: string;
}

/**
 * Creates an audience and a template for each brand, and some shared audiences.
 * @param topics  topic of each brand's last email, whose text is used in the template
 */
export async function createAudiences(
  trx: Transaction,
  { story, organizationId, userId, publicUrl }: Place,
  kits: Readonly<Record<BrandKey, Brand>>,
  topics: ReadonlyMap<BrandKey, Topic>,
): Promise<Record<BrandKey, EquippedBrand>> {
  const create = (name: string, rule: Rule, brand_id: string | null) =>
    createFilter(trx, organizationId, {
      name,
      brand_id,
      collection: 'contacts',
      rule,
      field_mapping: { email: 'email', unsubscribed: 'unsubscribed' },
    });
  const backend = createBuiltInBackend(trx, { organizationId, userId });
  const brands: Partial<Record<BrandKey, EquippedBrand>> = {};
  for (const key of brandKeys) {
    const { audience: name, template: title } = story.brands[key];
    const kit = kits[key];
    const filterId = await create(name, { tags: { _contains: key } }, kit.id);
    const { audience } = await findAudience(trx, organizationId, filterId, kit.id);
    if (typeof audience !== 'object') throw new Error(`The audience of ${key} cannot be used.`);
    const mjml = demoMjml(story, key, topics.get(key)!, publicUrl);
    const { id: templateId } = await createTemplate(backend, {
      title,
      template_type: 'email',
      mjml,
      client_id: kit.client_id,
      brand_id: kit.id,
    });
    brands[key] = { kit, filterId, audience, templateId };
  }
  await create(story.audiences.vip, { vip: { _eq: true } }, null);
  await create(story.audiences.region, { country: { _in: ['DE', 'AT', 'CH'] } }, null);
  await create(story.audiences.recent, { date_created: { _gte: '$NOW(-30 days)' } }, null);
  return brands as Record<BrandKey, EquippedBrand>;
}
