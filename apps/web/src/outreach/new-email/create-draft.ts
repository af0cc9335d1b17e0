import type { TemplateStarter } from '@reachout/contract/templates.ts';
import type { TFunction } from 'i18next';
import { client } from '#web/platform/api.ts';

export type Start =
  | { kind: 'goal'; starter: TemplateStarter }
  | { kind: 'template'; id: string }
  | { kind: 'email'; id: string };

interface Wanted {
  organization_id: string;
  brand_id: string;
  /** Undefined: the campaign with that name, created if necessary. */
  campaign_id: string | undefined;
  campaignName: string;
  emailName: string;
  language: 'en' | 'de';
  start: Start;
}

/** Creates a draft for the brand on the server. @returns its id */
export async function createDraft({ start, emailName: name, ...wanted }: Wanted): Promise<string> {
  const { organization_id, brand_id, language } = wanted;
  const campaign_id = wanted.campaign_id ?? (await findCampaign(wanted));
  if (start.kind === 'email')
    return (await client.touchpoints.duplicate({ id: start.id, name, campaign_id })).id;
  const template_id =
    start.kind === 'template'
      ? start.id
      : (
          await client.templates.create({
            organization_id,
            brand_id,
            title: name,
            starter: start.starter,
            language,
          })
        ).id;
  const filter_id = await findNewestAudience(organization_id, brand_id);
  const { id } = await client.touchpoints.create({ organization_id, campaign_id, name, type: 'email' });
  await client.touchpoints.updateEmail({
    id,
    template_id,
    ...(filter_id === undefined ? {} : { filter_id }),
  });
  return id;
}

async function findCampaign({
  organization_id,
  brand_id,
  campaignName: name,
}: Omit<Wanted, 'start' | 'emailName'>) {
  const { items } = await client.campaigns.list({ organization_id, brand_id, search: name, page: 0 });
  const open = items.find((campaign) => campaign.name === name && campaign.status !== 'archived');
  return (open ?? (await client.campaigns.create({ organization_id, brand_id, name }))).id;
}

/** The most recently changed audience, which the review and the final confirmation name. */
async function findNewestAudience(organization_id: string, brand_id: string): Promise<string | undefined> {
  const { items } = await client.filters.list({
    organization_id,
    brand_id,
    order: 'updated_at.desc',
    page: 0,
    page_size: 20,
  });
  return items.find((filter) => filter.is_active)?.id;
}

/** Default names until the user changes them. */
export const defaultNames = (
  t: TFunction<'touchpoints'>,
  start: Start,
  language: string,
  now = new Date(),
) => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options).format(now);
  const date = format({ day: 'numeric', month: 'long' });
  return {
    campaignName: format({ month: 'long', year: 'numeric' }),
    emailName:
      start.kind === 'goal'
        ? t('newEmail.nameOf', { what: t(`newEmail.goal.${start.starter}.title`), date })
        : t('newEmail.nameOf', { what: t('newEmail.email'), date }),
  };
};
