import type { TokenPurpose } from '../email/links/tokens.ts';
import { newId } from '../platform/ids.ts';
import type { TestApp } from './app.ts';
import { insertRows } from '../sample/rows.ts';
import { buildSentEmail, type SentEmail } from './sent-email.ts';

export const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export interface TopicEmail extends SentEmail {
  /** Of the first message. */
  token: string;
  /** Ids. News go to all who have not declined them, offers to those who chose them. */
  topics: { news: string; offers: string };
}

export async function buildTopicEmail(
  app: TestApp,
  given: Parameters<typeof buildSentEmail>[1] = {},
): Promise<TopicEmail> {
  const sent = await buildSentEmail(app.owner, {
    brandName: 'Nordwind',
    addresses: ['mia@example.org'],
    ...given,
  });
  const place = { organization_id: sent.organizationId, brand_id: sent.brandId };
  const topics = { news: newId(), offers: newId() };
  await insertRows(app.owner, 'topics', [
    { ...place, id: topics.news, name: 'News', description: 'Once a week', is_default: true, position: 1 },
    { ...place, id: topics.offers, name: 'Offers', is_default: false, position: 2 },
  ]);
  return { ...sent, token: signFor(app, 'unsubscribe', sent), topics };
}

/** @returns the token of a message for one purpose */
export const signFor = (
  app: TestApp,
  purpose: TokenPurpose,
  { sendNumber }: Pick<SentEmail, 'sendNumber'>,
  seq = 1,
): string =>
  purpose === 'visit'
    ? app.services.signer.signVisit({ sendNumber, seq })
    : app.services.signer.sign({ sendNumber, seq })[purpose];

export const openAsBrowser = (app: TestApp, url: string, headers: Record<string, string> = {}) =>
  app.app.inject({ method: 'GET', url, headers: { 'user-agent': browser, ...headers } });

type FormFields = readonly (readonly [string, string])[] | Record<string, string>;

/** Sends a form like a browser without JavaScript. */
export const submitAsBrowser = (app: TestApp, url: string, fields: FormFields) =>
  app.app.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields as Record<string, string>).toString(),
    headers: { 'user-agent': browser, 'content-type': 'application/x-www-form-urlencoded' },
  });

/** The operations for programs. */
export const preferencesPath = ({ touchpointId }: Pick<SentEmail, 'touchpointId'>): string =>
  `/api/touchpoints/emails/communication_preferences/${touchpointId}`;
