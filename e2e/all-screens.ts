import type { Browser, Page } from '@playwright/test';
import { apiOf, connect, createPerson, prepareEmail, readMail, sendAtOnce } from './api.ts';
import { runSql, storeDrops, storePageView, storeTransports } from './database.ts';
import { seedData, type SeedData } from './seed-data.ts';
import { watchingOperatorEmail, type Server } from './server.ts';

export interface Screen {
  path: string;
  /** A text that shows that the screen has its content: data that is the same in every language. */
  shows: string;
  /** What it is an example of, and inspected in every look for: another screen of this kind is laid out alike. */
  layout?: string;
}

/** All screens, each with content. */
export interface AllScreens {
  signedOut: Screen[];
  account: Screen[];
  settings: Screen[];
  clients: Screen[];
  touchpoints: Screen[];
  content: Screen[];
  operator: Screen[];
  organizationId: string;
  /** Of the owner of the organization. */
  cookies: Cookies;
  /** Of an operator of the installation, for the screens of operators. */
  operatorCookies: Cookies;
}

type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0];

/** Creates one organization with data for every screen. */
export async function makeAllScreens(server: Server, browser: Browser): Promise<AllScreens> {
  const context = await browser.newContext();
  const person = await createPerson(context.request, server);
  const api = apiOf(context.request, server.url);
  const { id } = await api.post<{ id: string }>('/organizations', { name: 'Rotkehlchen' });
  const email = await prepareEmail(api, id);
  const sendId = await sendAtOnce(api, email.touchpointId);
  await api.post(`/brands/${email.brandId}/topics`, { name: 'Nordwind offers', is_default: true });
  await api.post('/suppressions/import', {
    organization_id: id,
    brand_id: null,
    note: 'suppressions.csv',
    items: [
      { address: 'gone@contacts.example', reason: 'blocked' },
      { address: 'greta@elsewhere.example', reason: 'unsubscribed', at: '2026-01-05T08:00:00Z' },
    ],
  });
  const { items } = await api.get<{ items: { id: string; subject: string }[] }>(
    `/mailbox?organization_id=${id}&search=ada@contacts.example`,
  );
  const { data: contacts } = await api.get<{ data: { id: string; email: string }[] }>(
    `/content/${id}/items/contacts`,
  );
  const ada = contacts.find(({ email: address }) => address === 'ada@contacts.example')!;
  const message = await api.get<{ pixel_url: string }>(`/mailbox/${items[0]!.id}`);
  await context.request.get(message.pixel_url);
  const domain = await api.post<{ id: string }>('/domains', {
    organization_id: id,
    domain: 'nordwind.example',
  });
  const draft = await prepareEmail(api, id, { contacts: [], brand: 'Südwind', subject: 'Entwurf' });
  const website = await api.post<{ id: string }>('/touchpoints', {
    organization_id: id,
    campaign_id: email.campaignId,
    name: 'Nordwind shop',
    type: 'website',
    website: { hosts: ['shop.nordwind.example'] },
  });
  await api.post(`/touchpoints/${website.id}/website/start`, {});
  await api.post(`/touchpoints/${website.id}/website/goals`, { event: 'order', value: 49.9 });
  await storePageView(server.databaseUrl, id, website.id, 'https://shop.nordwind.example/spring');
  await storeDrops(server.databaseUrl, id, website.id);
  const signUpForm = await api.post<{ id: string }>('/sign_up_forms', {
    organization_id: id,
    brand_id: email.brandId,
    name: 'Nordwind sign-up',
    collection: 'contacts',
    fields: [{ name: 'first_name', label: 'First name' }],
    language: 'en',
    title: 'Nordwind letter',
    consent_text: 'I want to get emails from Nordwind.',
  });
  const reminder = await api.post<{ id: string }>('/touchpoints', {
    organization_id: id,
    campaign_id: email.campaignId,
    name: 'Nordwind reminder',
    type: 'email',
  });
  await connect(api, id, email, reminder.id);
  const seeded = await seedData(api, id, email.clientId, 'Amsel');
  await storeTransports(server.databaseUrl, id, 'Amsel');
  const mail = await readMail(context.request, server, seeded.invitedEmail, /Rotkehlchen/);
  const share = await api.post<{ id: string }>(`/content/${id}/shares`, {
    collection: 'contacts',
    item: ada.id,
    name: 'Ada for Amsel',
    role: 'analyst',
  });
  const { data: newsletter } = await api.post<{ data: { id: string } }>(`/content/${id}/items/newsletters`, {
    title: 'Light jackets',
  });
  const cookies = await context.cookies();
  await context.close();

  const at = `/o/${id}`;
  const sent = `${at}/touchpoints/${email.touchpointId}`;
  const writing = `${at}/touchpoints/${draft.touchpointId}`;
  const client = `${at}/clients/${email.clientId}`;
  const brand = `${at}/brands/${email.brandId}`;
  return {
    organizationId: id,
    cookies,
    operatorCookies: await makeOperator(server, browser),
    operator: operatorScreens,
    signedOut: [
      ...signedOutScreens(seeded, mail.links[0]!),
      { path: `/shares/${id}/${share.id}`, shows: 'ada@contacts.example' },
      { path: `/shares/${id}/${crypto.randomUUID()}`, shows: 'Reachout' },
    ],
    account: [...accountScreens(id, person.email), ...mailboxScreens(seeded, mail.id)],
    settings: settingsScreens(at, seeded),
    clients: [
      { path: at, shows: 'Nordwind news' },
      { path: `${at}/results`, shows: 'Nordwind news' },
      { path: `${at}/calendar`, shows: 'Nordwind news', layout: 'calendar' },
      { path: `${at}/calendar?view=week`, shows: 'Nordwind news' },
      { path: `${at}/calendar?view=agenda`, shows: 'Nordwind news' },
      { path: `${at}/clients`, shows: 'Nordwind Outdoor' },
      { path: `${client}/overview`, shows: 'Nordwind' },
      { path: `${client}/contacts`, shows: 'Amsel' },
      { path: `${client}/addresses`, shows: 'Amsel' },
      { path: `${client}/socials`, shows: 'nordwind.example' },
      { path: `${client}/settings`, shows: 'Nordwind Outdoor' },
      { path: `${brand}/campaigns`, shows: 'Nordwind spring' },
      { path: `${brand}/touchpoints`, shows: 'Nordwind news' },
      { path: `${brand}/topics`, shows: 'Nordwind offers' },
      { path: `${brand}/kit`, shows: 'Nordwind' },
      { path: `${brand}/sign-up-forms`, shows: 'Nordwind sign-up' },
      { path: `${at}/sign-up-forms/${signUpForm.id}`, shows: 'I want to get emails from Nordwind.' },
      { path: `${at}/campaigns`, shows: 'Nordwind spring' },
      { path: `${at}/campaigns/${email.campaignId}`, shows: 'Nordwind news' },
      { path: `${at}/events`, shows: 'Nordwind reminder' },
      { path: `${at}/events?campaign=${email.campaignId}`, shows: 'Nordwind reminder' },
      {
        path: `${at}/events?campaign=${email.campaignId}&view=graph`,
        shows: 'Nordwind reminder',
        layout: 'graph',
      },
    ],
    touchpoints: [
      { path: `${at}/touchpoints`, shows: 'Nordwind news' },
      { path: `${at}/emails/new?brand=${email.brandId}`, shows: 'Nordwind letter' },
      { path: `${writing}/email`, shows: 'Entwurf' },
      { path: `${writing}/settings`, shows: 'Südwind news' },
      { path: `${sent}/receipt`, shows: '<news@nordwind.example>' },
      { path: `${sent}/sends`, shows: '3' },
      { path: `${sent}/sends/${sendId}`, shows: 'ada@contacts.example', layout: 'progress' },
      { path: `${sent}/statistics`, shows: '@contacts.example', layout: 'charts' },
      { path: `${writing}/statistics`, shows: 'Südwind news' },
      { path: `${at}/touchpoints/${website.id}/overview`, shows: '/spring' },
      { path: `${at}/touchpoints/${website.id}/statistics`, shows: '/spring' },
      {
        path: `${at}/touchpoints/${website.id}/statistics?period=2020-01-01::2020-01-31`,
        shows: 'Nordwind shop',
      },
      { path: `${at}/touchpoints/${website.id}/settings`, shows: 'order' },
    ],
    content: [
      { path: `${at}/templates`, shows: 'Nordwind letter' },
      { path: `${at}/templates/${email.templateId}`, shows: 'Nordwind letter' },
      { path: `${at}/audiences`, shows: 'Everybody at Nordwind' },
      { path: `${at}/audiences?new=true`, shows: 'ada@contacts.example' },
      { path: `${at}/audiences/${email.filterId}`, shows: 'ada@contacts.example' },
      { path: `${at}/contacts`, shows: 'ada@contacts.example' },
      { path: `${at}/contacts/${ada.id}`, shows: 'Nordwind news' },
      { path: `${at}/suppressions`, shows: 'gone@contacts.example' },
      { path: `${at}/data-requests`, shows: 'No data requests yet' },
      { path: `${at}/collections`, shows: '1' },
      { path: `${at}/shares`, shows: 'Ada for Amsel' },
      { path: `${at}/files`, shows: 'No files yet', layout: 'empty' },
      { path: `${at}/collections/newsletters`, shows: '' },
      { path: `${at}/collections/newsletters/items/${newsletter.id}`, shows: 'Light jackets' },
      { path: `${at}/collections/newsletters/fields`, shows: 'publish_date' },
      { path: `${at}/collections/contacts/import`, shows: 'CSV' },
      { path: `${at}/domains`, shows: 'nordwind.example' },
      { path: `${at}/domains/new`, shows: 'news.example.com' },
      { path: `${at}/domains/${domain.id}`, shows: 'r1._domainkey' },
      { path: `${at}/mailbox`, shows: 'News' },
      { path: `${at}/mailbox/${items[0]!.id}`, shows: 'News' },
      { path: `${at}/campaigns/${crypto.randomUUID()}`, shows: '', layout: 'not found' },
    ],
  };
}

/** @param invitationUrl  the link in the invitation email */
const signedOutScreens = (seeded: SeedData, invitationUrl: string): Screen[] => [
  { path: '/sign-in', shows: 'Company login' },
  { path: '/sign-in?after=deleted', shows: 'Company login' },
  { path: '/sign-in/code?email=ada@contacts.example', shows: 'ada@contacts.example' },
  { path: '/sign-in/second-factor', shows: 'Reachout' },
  { path: '/sign-up', shows: 'Company login' },
  { path: '/sign-up/confirm?token=used', shows: 'Reachout' },
  { path: '/reset-password', shows: 'Reachout' },
  { path: '/reset-password/new?token=unknown', shows: 'Reachout' },
  { path: '/change-email?token=unknown', shows: 'Reachout' },
  { path: '/auth/callback?error=access_denied', shows: 'Reachout' },
  { path: '/auth/callback?error=something_new', shows: 'something_new' },
  { path: `/invitation/${seeded.pendingToken}`, shows: 'Rotkehlchen' },
  { path: invitationUrl, shows: seeded.invitedEmail },
  { path: `/invitation/${seeded.declinedToken}`, shows: 'Reachout' },
  { path: '/invitation/nobody-has-this-token', shows: 'Reachout' },
  { path: `/join/${seeded.linkToken}`, shows: 'Rotkehlchen' },
  { path: '/mailbox', shows: 'npm start' },
  { path: '/help', shows: 'Directus' },
  { path: '/help?search=DKIM', shows: 'DKIM' },
  { path: '/help/sending-domain', shows: 'DMARC', layout: 'text' },
  { path: '/help/nobody-wrote-this', shows: '' },
];

/** Screens of a browser that has access to the system mailbox. */
const mailboxScreens = (seeded: SeedData, mailId: string): Screen[] => [
  { path: `/mailbox?search=${seeded.invitedEmail}`, shows: seeded.invitedEmail },
  { path: `/mailbox/${mailId}`, shows: seeded.invitedEmail },
];

const accountScreens = (organizationId: string, email: string): Screen[] => [
  { path: '/organizations', shows: 'Rotkehlchen' },
  { path: '/me/profile', shows: email },
  { path: '/me/addresses', shows: 'Amsel' },
  { path: '/me/socials', shows: 'nordwind.example' },
  { path: '/me/password', shows: email },
  { path: '/me/api-keys', shows: 'Amsel' },
  { path: '/me/security', shows: 'Authenticator', layout: 'cards' },
  { path: '/me/sessions', shows: '127.0.0.1' },
  { path: '/me/preferences', shows: 'Deutsch' },
  { path: '/me/data', shows: 'JSON' },
  { path: '/operator/jobs', shows: 'OPERATORS', layout: 'denied' },
  { path: '/operator/help/getting-started', shows: 'OPERATORS' },
  { path: '/help/sending-domain', shows: 'DMARC' },
  { path: '/welcome/organization', shows: '1', layout: 'wizard' },
  { path: `/welcome/team?organization=${organizationId}`, shows: '2' },
  { path: `/welcome/done?organization=${organizationId}`, shows: '3' },
];

const operatorScreens: Screen[] = [
  { path: '/operator/jobs?search=&state=failed&kind=field_removal', shows: 'TypeError' },
  { path: '/operator/organizations?search=Rotkehlchen', shows: 'Rechnungen' },
  { path: '/operator/users?search=Rotkehlchen', shows: 'Beschwerden' },
  { path: '/operator/help', shows: 'Directus' },
  { path: '/operator/help/getting-started', shows: 'Getting started' },
  { path: '/operator/help/start/first-email', shows: 'E-Mail' },
];

/** Creates an operator, and what operators see: a failed job, a suspended organization and a suspended user. @returns their cookies */
async function makeOperator(server: Server, browser: Browser): Promise<Cookies> {
  const context = await browser.newContext();
  const suspended = await createPerson(context.request, server, 'Rotkehlchen Gast');
  await context.clearCookies();
  const { email } = await createPerson(context.request, server);
  await runSql(server.databaseUrl, 'update users set email = $1 where email = $2', [
    watchingOperatorEmail,
    email,
  ]);
  const api = apiOf(context.request, server.url);
  const { id } = await api.post<{ id: string }>('/organizations', { name: 'Rotkehlchen Archiv' });
  await api.put(`/operator/organizations/${id}/status`, {
    status: 'suspended',
    reason: 'Seit einem Jahr sind die Rechnungen unbezahlt.',
  });
  const users = await api.get<{ items: { id: string }[] }>(`/operator/users?search=${suspended.email}`);
  await api.put(`/operator/users/${users.items[0]!.id}/status`, {
    status: 'suspended',
    reason: 'Es gab Beschwerden.',
  });
  await runSql(
    server.databaseUrl,
    `insert into jobs (organization_id, id, kind, key, payload, state, attempts, error_content, ended_at)
      values ($1, gen_random_uuid(), 'field_removal', 'field', '{}', 'failed', 10, 'TypeError', now())`,
    [id],
  );
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

const settingsScreens = (at: string, seeded: SeedData): Screen[] => [
  { path: `${at}/settings/general`, shows: 'Rotkehlchen' },
  { path: `${at}/settings/address`, shows: 'Amsel' },
  { path: `${at}/settings/contacts`, shows: 'Amsel' },
  { path: `${at}/settings/members`, shows: '@people.example' },
  { path: `${at}/settings/invitations`, shows: seeded.invitedEmail },
  { path: `${at}/settings/roles`, shows: 'Amsel' },
  { path: `${at}/settings/roles/owner`, shows: '✓' },
  { path: `${at}/settings/roles/${seeded.role}`, shows: '◐' },
  { path: `${at}/settings/content-backend`, shows: '2' },
  { path: `${at}/settings/transports`, shows: 'Amsel' },
  { path: `${at}/settings/api-keys`, shows: 'Amsel' },
  { path: `${at}/settings/audit-log`, shows: 'Amsel', layout: 'log' },
  { path: `${at}/settings/trash`, shows: 'Amsel' },
];
