import type { GraphStarter } from '@reachout/contract/event-graph.ts';
import type { CauseType } from '@reachout/contract/rules/event-graph.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import type { StarterLanguage, TemplateStarter } from '@reachout/contract/templates.ts';
import { findFormOf } from '../../contacts/sign-ups/open-form.ts';
import { findContactList } from '../../content/collections/content-collection.ts';
import { requireCampaign } from '../../outreach/campaigns/campaigns.ts';
import { changeEmail } from '../../outreach/channels/email/change-email.ts';
import { createTouchpoint } from '../../outreach/touchpoints/create-touchpoint.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { createEvent, createListener, findAction, noDetails } from './event-graph.ts';
import { findOldest } from './event-graph.queries.ts';

/** Emails of starters: their default template, and their names and subjects. */
export const emails = {
  welcome: { starter: 'welcome', en: 'Welcome', de: 'Willkommen' },
  welcome_next: { starter: 'personal', en: 'Getting started', de: 'Erste Schritte' },
  welcome_last: { starter: 'newsletter', en: 'What else there is', de: 'Was es noch gibt' },
  not_clicked: { starter: 'personal', en: 'A reminder', de: 'Zur Erinnerung' },
  abandoned_form: { starter: 'personal', en: 'Can we help?', de: 'Können wir helfen?' },
  re_engagement: { starter: 'personal', en: 'Are you still interested?', de: 'Haben Sie noch Interesse?' },
} as const satisfies Record<string, { starter: TemplateStarter } & Record<StarterLanguage, string>>;

/** An email that is made, what it waits for, and what an event that its contact causes meanwhile makes void. */
interface Step {
  email: keyof typeof emails;
  delay: string;
  unless?: CauseType;
  /** Whose event `unless` is: of the email before it instead of the notifier. */
  ofEmailBefore?: true;
}

interface Starter {
  /** Null begins with a sign-up, or with a contact that is added. */
  notifier: TouchpointType | null;
  event_type?: CauseType;
  event?: string;
  /** If there is nothing to begin with. */
  missing: string;
  steps: readonly Step[];
}

const ofEmail = {
  notifier: 'email',
  event_type: 'SEND_EMAIL',
  missing: 'The campaign has no email yet. Add the one that others follow first.',
} as const;

const starters: Record<GraphStarter, Starter> = {
  welcome_series: {
    notifier: null,
    missing: 'The brand has neither a sign-up form nor contacts that it can use.',
    steps: [
      { email: 'welcome', delay: 'PT0S' },
      { email: 'welcome_next', delay: 'P3D', unless: 'CLICK', ofEmailBefore: true },
      { email: 'welcome_last', delay: 'P7D' },
    ],
  },
  not_clicked: { ...ofEmail, steps: [{ email: 'not_clicked', delay: 'P3D', unless: 'CLICK' }] },
  abandoned_form: {
    notifier: 'website',
    event_type: 'VIEW_PAGE',
    event: '*',
    missing: 'The brand has no website. Add the one that has the form first.',
    steps: [{ email: 'abandoned_form', delay: 'PT2H', unless: 'TRACK' }],
  },
  re_engagement: { ...ofEmail, steps: [{ email: 're_engagement', delay: 'P30D', unless: 'OPEN_EMAIL' }] },
};

/**
 * Adds a graph to begin with: an event that is not active, and drafts of emails that react to it.
 * @returns the name of the campaign, and the id of the event
 * @throws 404; 409 `campaign_archived`, `too_many_records`; 422 on `starter` if what it begins with is not there
 */
export async function startGraph(
  trx: Transaction,
  campaign_id: string,
  { starter, language }: { starter: GraphStarter; language: StarterLanguage },
): Promise<{ name: string; eventId: string }> {
  const { notifier, missing, steps, event_type = 'SIGN_UP', event = null } = starters[starter];
  const campaign = await requireCampaign(trx, campaign_id);
  const beginning = await findBeginning(trx, campaign, notifier);
  if (beginning === undefined) throw invalidInput('starter', missing);
  const action = (await findAction(trx, 'send_email', notifier))!;
  const details = { ...noDetails, event_type, event, ...beginning };
  const eventId = await createEvent(trx, { ...details, campaign_id, touchpoint_event_action_id: action.id });
  let before: string | null = null;
  for (const { email, delay, unless, ofEmailBefore } of steps) {
    const { starter: template, [language]: name } = emails[email];
    const made = await createTouchpoint(trx, { campaign_id, name, type: 'email' });
    await changeEmail(trx, made.id, { starter: template, language, subject: name });
    const website = notifier === 'website' ? details.notifier_touchpoint_id : null;
    await createListener(trx, eventId, {
      listener_touchpoint_id: made.id,
      delay,
      unless: unless
        ? { event_type: unless, event: null, touchpoint_id: ofEmailBefore ? before : website }
        : null,
      once_per_contact: true,
      quiet_hours: true,
    });
    before = made.id;
  }
  return { name: campaign.name, eventId };
}

async function findBeginning(
  trx: Transaction,
  { id: campaign_id, organization_id, client_id, brand_id }: Awaited<ReturnType<typeof requireCampaign>>,
  notifier: TouchpointType | null,
): Promise<
  | { notifier_touchpoint_id: string }
  | { form_id: string }
  | { event_type: 'ADD_CONTACT'; collection: string }
  | undefined
> {
  if (notifier !== null) {
    const found = await findOldest(trx, { brand_id, campaign_id }, notifier);
    const isUsable = notifier === 'website' || found?.campaign_id === campaign_id;
    return found && isUsable ? { notifier_touchpoint_id: found.id } : undefined;
  }
  const form = await findFormOf(trx, brand_id);
  if (form !== undefined) return { form_id: form.id };
  const collection = await findContactList(trx, organization_id, { client_id, brand_id });
  return collection === undefined ? undefined : { event_type: 'ADD_CONTACT', collection };
}
