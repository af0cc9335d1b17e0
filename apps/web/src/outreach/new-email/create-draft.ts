import { chooseAudience, chooseContacts } from '#web/outreach/channels/email/own-contacts.ts';
import { client } from '#web/platform/api.ts';
import { isProblem } from '#web/platform/problem.ts';
import type { Start } from '#web/outreach/channels/email/start-choice.tsx';
import { chooseCampaign } from './draft-names.ts';

interface Wanted {
  organization_id: string;
  brand_id: string;
  /** Undefined: the campaign of the month, created if necessary. */
  campaign_id: string | undefined;
  /** Its name, and the one that it has if another brand has a campaign of that name. */
  campaignNames: { plain: string; withBrand: (brand: string) => string };
  emailName: string;
  /** Names the audience of all contacts of an owner, if it has to be created; undefined if the user cannot create one. */
  audienceNameOf: ((owner: string) => string) | undefined;
  language: 'en' | 'de';
  start: Start;
}

/** Creates a draft for the brand on the server. @returns its id */
export async function createDraft({ start, emailName: name, ...wanted }: Wanted): Promise<string> {
  const { organization_id, language } = wanted;
  const campaign_id = wanted.campaign_id ?? (await findCampaign(wanted));
  if (start.kind === 'email')
    return (await client.touchpoints.duplicate({ id: start.id, name, campaign_id })).id;
  const filter_id = await findOwnAudience(wanted);
  const { id } = await client.touchpoints.create({ organization_id, campaign_id, name, type: 'email' });
  await client.touchpoints.updateEmail({
    id,
    ...(start.kind === 'goal' ? { starter: start.starter, language } : { template_id: start.id }),
    ...(filter_id === undefined ? {} : { filter_id }),
  });
  return id;
}

async function findCampaign({
  organization_id,
  brand_id,
  campaignNames,
}: Omit<Wanted, 'start' | 'emailName'>) {
  const { plain } = campaignNames;
  const [{ items }, brand] = await Promise.all([
    client.campaigns.list({ organization_id, search: plain, page: 0 }),
    client.brands.get({ id: brand_id }),
  ]);
  const choice = chooseCampaign(items, brand_id, [plain, campaignNames.withBrand(brand.name)]);
  return 'id' in choice
    ? choice.id
    : (await client.campaigns.create({ organization_id, brand_id, name: choice.name })).id;
}

/**
 * The audience that an email begins with: the most recently changed one of its brand or client, or all contacts of a collection
 * of theirs. Nothing that all clients share: the user chooses that.
 */
async function findOwnAudience({
  organization_id,
  brand_id,
  audienceNameOf,
}: Pick<Wanted, 'organization_id' | 'brand_id' | 'audienceNameOf'>): Promise<string | undefined> {
  const { items } = await client.filters.list({
    organization_id,
    brand_id,
    order: 'updated_at.desc',
    page: 0,
    page_size: 20,
  });
  const known = chooseAudience(items);
  if (known !== undefined || audienceNameOf === undefined) return known;
  const { data } = await client.content.collections({ organization_id, brand_id });
  const list = chooseContacts(data);
  const owner = list?.brand ?? list?.client;
  if (list === undefined || !owner) return undefined;
  const { client_id, collection } = list;
  const made = {
    organization_id,
    client_id,
    brand_id: list.brand_id,
    name: audienceNameOf(owner.name),
    collection,
  };
  try {
    return (await client.filters.create(made)).id;
  } catch (error) {
    // The name is taken, or fields of the collection are missing: the user chooses an audience on the next page.
    if (isProblem(error)) return undefined;
    throw error;
  }
}
