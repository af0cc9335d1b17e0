import type { GraphStarter } from '@reachout/contract/event-graph.ts';
import type { CauseType } from '@reachout/contract/rules/event-graph.ts';
import type { StarterLanguage, TemplateStarter } from '@reachout/contract/templates.ts';
import { findFormOf } from '../../contacts/sign-ups/open-form.ts';
import { findContactList } from '../../content/collections/content-collection.ts';
import { requireCampaign } from '../../outreach/campaigns/campaigns.ts';
import { changeEmail } from '../../outreach/channels/email/change-email.ts';
import { createTouchpoint } from '../../outreach/touchpoints/create-touchpoint.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { createEvent, createListener, findAction } from './event-graph.ts';
import { findOldest } from './event-graph.queries.ts';

/** An email that is made, what it waits for, and what an event that its contact causes meanwhile makes void. */
interface Step {
  email: keyof typeof emails;
  delay: string;
  unless?: CauseType;
  /** Whose event `unless` is: of the email before it instead of the notifier. */
  ofEmailBefore?: true;
}

/** Emails of starters: their default template, and their names and subjects. */
export const emails = {
  welcome: { starter: 'welcome', en: 'Welcome', de: 'Willkommen' },
  welcome_next: { starter: 'personal', en: 'Getting started', de: 'Erste Schritte' },
  welcome_last: { starter: 'newsletter', en: 'What else there is', de: 'Was es noch gibt' },
  not_clicked: { starter: 'personal', en: 'A reminder', de: 'Zur Erinnerung' },
  abandoned_form: { starter: 'personal', en: 'Can we help?', de: 'Können wir helfen?' },
  re_engagement: { starter: 'personal', en: 'Are you still interested?', de: 'Haben Sie noch Interesse?' },
} as const satisfies Record<string, { starter: TemplateStarter } & Record<StarterLanguage, string>>;

const steps: Record<GraphStarter, readonly Step[]> = {
  welcome_series: [
    { email: 'welcome', delay: 'PT0S' },
    { email: 'welcome_next', delay: 'P3D', unless: 'CLICK', ofEmailBefore: true },
    { email: 'welcome_last', delay: 'P7D' },
  ],
  not_clicked: [{ email: 'not_clicked', delay: 'P3D', unless: 'CLICK' }],
  abandoned_form: [{ email: 'abandoned_form', delay: 'PT2H', unless: 'TRACK' }],
  re_engagement: [{ email: 're_engagement', delay: 'P30D', unless: 'OPEN_EMAIL' }],
};

/** What a graph begins with. */
type Beginning = Pick<
  Parameters<typeof createEvent>[1],
  'event_type' | 'event' | 'notifier_touchpoint_id' | 'form_id' | 'collection'
>;

/**
 * Adds a graph to begin with: an event that is not active, and drafts of emails that react to it.
 * @returns the name of the campaign, and the ids of the events
 * @throws 404; 409 `campaign_archived`, `too_many_records`; 422 on `starter` if what it begins with is not there
 */
export async function startGraph(
  trx: Transaction,
  campaignId: string,
  { starter, language }: { starter: GraphStarter; language: StarterLanguage },
): Promise<{ name: string; ids: string[] }> {
  const campaign = await requireCampaign(trx, campaignId);
  const beginning = await findBeginning(trx, { ...campaign, campaign_id: campaignId }, starter);
  const notifierType =
    beginning.notifier_touchpoint_id === null
      ? null
      : beginning.event_type === 'VIEW_PAGE'
        ? 'website'
        : 'email';
  const action = (await findAction(trx, 'send_email', notifierType))!;
  const id = await createEvent(trx, {
    ...beginning,
    campaign_id: campaignId,
    touchpoint_event_action_id: action.id,
    is_active: false,
    value: null,
    days: null,
    is_yearly: false,
  });
  let before: string | null = null;
  for (const { email, delay, unless, ofEmailBefore } of steps[starter]) {
    const { starter: template, [language]: name } = emails[email];
    const made = await createTouchpoint(trx, { campaign_id: campaignId, name, type: 'email' });
    await changeEmail(trx, made.id, { starter: template, language, subject: name });
    await createListener(trx, id, {
      listener_touchpoint_id: made.id,
      delay,
      unless: unless
        ? {
            event_type: unless,
            event: null,
            touchpoint_id: ofEmailBefore
              ? before
              : notifierType === 'website'
                ? beginning.notifier_touchpoint_id
                : null,
          }
        : null,
      once_per_contact: true,
      quiet_hours: true,
    });
    before = made.id;
  }
  return { name: campaign.name, ids: [id] };
}

async function findBeginning(
  trx: Transaction,
  campaign: { organization_id: string; client_id: string; brand_id: string; campaign_id: string },
  starter: GraphStarter,
): Promise<Beginning> {
  const { organization_id, client_id, brand_id } = campaign;
  const nothing = { event: null, notifier_touchpoint_id: null, form_id: null, collection: null };
  if (starter === 'welcome_series') {
    const form = await findFormOf(trx, brand_id);
    if (form !== undefined) return { ...nothing, event_type: 'SIGN_UP', form_id: form.id };
    const collection = await findContactList(trx, organization_id, { client_id, brand_id });
    if (collection === undefined)
      throw invalidInput('starter', 'The brand has neither a sign-up form nor contacts that it can use.');
    return { ...nothing, event_type: 'ADD_CONTACT', collection };
  }
  if (starter === 'abandoned_form') {
    const website = await findOldest(trx, campaign, 'website');
    if (website === undefined)
      throw invalidInput('starter', 'The brand has no website. Add the one that has the form first.');
    return { ...nothing, event_type: 'VIEW_PAGE', event: '*', notifier_touchpoint_id: website.id };
  }
  const email = await findOldest(trx, campaign, 'email');
  if (email?.campaign_id !== campaign.campaign_id)
    throw invalidInput('starter', 'The campaign has no email yet. Add the one that others follow first.');
  return { ...nothing, event_type: 'SEND_EMAIL', notifier_touchpoint_id: email.id };
}
