import { createContactRules } from '../../contacts/contact-rules.ts';
import type { Brand } from '@reachout/contract/clients.ts';
import type { Rule } from '@reachout/contract/filters.ts';
import { createBrand } from '../../clients/brands/create-brand.ts';
import { createClient } from '../../clients/clients/create-client.ts';
import type { Audience } from '../../contacts/audiences/audience.ts';
import { createFilter } from '../../contacts/audiences/create-filter.ts';
import { findAudience } from '../../contacts/audiences/find-audience.ts';
import { createBuiltInBackend } from '../../content/built-in/built-in-backend.ts';
import { ensureContactsOf } from '../../content/collections/collections.ts';
import { newId } from '../../platform/ids.ts';
import { createShare } from '../../content/shares/shares.ts';
import { createTemplate } from '../../content/templates/templates.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { buildItems } from '../../sample/items.ts';
import { insertRows } from '../../sample/rows.ts';
import { demoMjml } from './demo-mjml.ts';
import { waitWithin } from './demo.queries.ts';
import type { DemoDomainDeps } from './demo-domains.ts';
import type { MailSetup } from '../../outreach/channels/channel.ts';
import type { RequestLog } from '../../platform/http/orpc-problems.ts';
import type { StoreLogo } from './demo-logos.ts';
import { hasAgreed, type Person } from './people.ts';
import {
  brandKeys,
  clientKeys,
  plots,
  type BrandKey,
  type ClientKey,
  type Story,
  type Topic,
} from './story/story.ts';

export interface MakeDemo {
  story: Story;
  userId: string;
  /** Without a trailing slash. */
  publicUrl: string;
  /** False if a mail server is set, which would have to send: the demo then has no running or scheduled sends. */
  hasOpenSends: boolean;
  /** Answers checks of the domains of the demo; without it, the demo has none. */
  domains?: DemoDomainDeps | undefined;
  storeLogo: StoreLogo;
  setup: MailSetup;
  log: RequestLog;
  now: Date;
}

/** The options with the created organization. */
export type Place = MakeDemo & { organizationId: string };

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
      const { color, domain, tracking } = plots[key];
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
        tracking_policy: tracking,
      });
    }
  }
  return kits as Record<BrandKey, Brand>;
}

/** Stores the contacts of each client in a collection of its own, and who agrees to tracking. @returns the collections */
export async function createPeople(
  trx: Transaction,
  { organizationId, userId }: Place,
  kits: Readonly<Record<BrandKey, Brand>>,
  people: readonly Person[],
): Promise<Record<ClientKey, string>> {
  const collections: Partial<Record<ClientKey, string>> = {};
  const ofClients = Map.groupBy(people, ({ brands }) => plots[[...brands][0]!].client);
  for (const client of clientKeys) {
    const brand = brandKeys.find((key) => plots[key].client === client)!;
    const { collection } = await ensureContactsOf(trx, organizationId, kits[brand].client_id);
    const place = { organization_id: organizationId, collection, user_created: userId };
    await buildItems(trx, place, ofClients.get(client) ?? []);
    collections[client] = collection;
  }
  for (const key of brandKeys.filter((brand) => plots[brand].tracking === 'with_consent'))
    await insertRows(
      trx,
      'choices',
      people
        .filter((person) => person.brands.has(key) && hasAgreed(person))
        .map(({ data, at }) => ({
          organization_id: organizationId,
          brand_id: kits[key].id,
          address_key: data.email,
          source: 'sign_up',
          changed_at: at.toISOString(),
          kind: 'tracking',
          value: 'allowed',
        })),
    );
  return collections as Record<ClientKey, string>;
}

/** Stores issues that are being written, the first of them with a link for the client. */
export async function createIssues(
  trx: Transaction,
  { story, organizationId, userId }: Place,
): Promise<void> {
  const [collection, who] = ['newsletters', { organizationId, userId }];
  const backend = createBuiltInBackend(trx, { ...who, contacts: createContactRules(undefined) });
  const items = story.issues.map((issue) => ({ id: newId(), ...issue }));
  for (const item of items) await backend.createItem(collection, item);
  await createShare(
    trx,
    who,
    {
      name: story.clients.nordwind,
      collection,
      item: items[0]!.id,
      role: 'analyst',
      date_start: null,
      date_end: null,
      max_uses: null,
    },
    { passwordHash: null, mustRead: true },
  );
}

/** A brand with its filter, audience and template. */
export interface EquippedBrand {
  kit: Brand;
  filterId: string;
  audience: Audience;
  audienceName: string;
  templateId: string;
}

/**
 * Creates an audience and a template for each brand, and an audience for each client.
 * @param collections  the contacts of each client
 * @param topics  topic of each brand's last email, whose text is used in the template
 */
export async function createAudiences(
  trx: Transaction,
  { story, organizationId, userId, publicUrl }: Place,
  kits: Readonly<Record<BrandKey, Brand>>,
  collections: Readonly<Record<ClientKey, string>>,
  topics: ReadonlyMap<BrandKey, Topic>,
): Promise<Record<BrandKey, EquippedBrand>> {
  const create = (
    name: string,
    rule: Rule,
    owner: { client_id: string; brand_id: string | null },
    of: ClientKey,
  ) =>
    createFilter(trx, organizationId, {
      name,
      ...owner,
      collection: collections[of],
      rule,
      field_mapping: { email: 'email', unsubscribed: 'unsubscribed' },
    });
  const backend = createBuiltInBackend(trx, { organizationId, userId });
  const brands: Partial<Record<BrandKey, EquippedBrand>> = {};
  for (const key of brandKeys) {
    const { audience: name, template: title } = story.brands[key];
    const kit = kits[key];
    const { client_id, id: brand_id } = kit;
    const filterId = await create(
      name,
      { tags: { _contains: key } },
      { client_id, brand_id },
      plots[key].client,
    );
    const { audience } = await findAudience(trx, organizationId, filterId, kit.id, null);
    if (typeof audience !== 'object') throw new Error(`The audience of ${key} cannot be used.`);
    const mjml = demoMjml(story, key, topics.get(key)!, publicUrl);
    const { id: templateId } = await createTemplate(backend, {
      title,
      template_type: 'email',
      mjml,
      client_id: kit.client_id,
      brand_id: kit.id,
    });
    brands[key] = { kit, filterId, audience, audienceName: name, templateId };
  }
  const ofClient = (name: string, rule: Rule, key: BrandKey) =>
    create(name, rule, { client_id: kits[key].client_id, brand_id: null }, plots[key].client);
  await ofClient(story.audiences.vip, { vip: { _eq: true } }, 'nordwind');
  await ofClient(story.audiences.region, { country: { _in: ['DE', 'AT', 'CH'] } }, 'solara');
  await ofClient(story.audiences.recent, { date_created: { _gte: '$NOW(-30 days)' } }, 'morrow');
  return brands as Record<BrandKey, EquippedBrand>;
}
