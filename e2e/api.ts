import { randomUUID } from 'node:crypto';
import { expect, type APIRequestContext, type APIResponse } from '@playwright/test';
import { newId } from '../apps/server/src/platform/ids.ts';
import { createSecrets, newToken } from '../apps/server/src/platform/secrets.ts';
import { runSql } from './database.ts';
import type { Server } from './server.ts';

export interface Person {
  name: string;
  email: string;
  password: string;
}

/**
 * Requests to the product's API with the cookies of a browser. They reject on every error response.
 */
export interface Api {
  get: <T>(path: string) => Promise<T>;
  post: <T>(path: string, body: unknown) => Promise<T>;
  patch: <T>(path: string, body: unknown) => Promise<T>;
  put: <T>(path: string, body: unknown) => Promise<T>;
  delete: <T>(path: string) => Promise<T>;
}

export function apiOf(request: APIRequestContext, url: string): Api {
  const call = async <T>(method: string, path: string, data?: unknown): Promise<T> => {
    const response = await untilServed(() =>
      request.fetch(`${url}/api${path}`, {
        method,
        headers: { origin: url },
        ...(data === undefined ? {} : { data }),
      }),
    );
    if (!response.ok()) {
      throw new Error(`${method} ${path} answered ${response.status()}: ${await response.text()}`);
    }
    return (await response.json()) as T;
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  };
}

/** Retries while a busy server has no free connection: it responds with 503 and has done nothing. */
export async function untilServed(send: () => Promise<APIResponse>): Promise<APIResponse> {
  let response: APIResponse | undefined;
  await expect
    .poll(async () => (response = await send()).status(), { message: 'the server has time', timeout: 60_000 })
    .not.toBe(503);
  return response!;
}

export function newPerson(name = 'Robin Tester'): Person {
  return { name, email: `${randomUUID()}@people.example`, password: `long ${randomUUID()}` };
}

/**
 * Creates a new user and signs them in: stores a sign-up as it is after its email was sent, and confirms it through the
 * API. Skips only password hashing and the email, which the tests of the sign-up cover.
 */
export async function createPerson(
  request: APIRequestContext,
  server: Server,
  name?: string,
): Promise<Person> {
  const person = { ...newPerson(name), password: server.password };
  const [token, browser] = [newToken(), newToken()];
  const secrets = createSecrets(server.secretKey);
  await runSql(
    server.databaseUrl,
    `insert into one_time_tokens (id, purpose, email, secret_hash, browser_hash, payload, expires_at)
      values ($1, 'sign_up', $2, $3, $4, $5, now() + interval '1 hour')`,
    [
      newId(),
      person.email,
      secrets.hash('sign_up', token),
      secrets.hash('browser/sign_up', browser),
      { name: person.name, language: 'en', password: server.passwordHash },
    ],
  );
  let response = await untilServed(() =>
    request.post(`${server.url}/api/auth/sign-up/confirm`, {
      headers: { origin: server.url, cookie: `reachout_sign_up=${browser}` },
      data: { token },
    }),
  );
  // A busy server may have had time for the account, and none for its session.
  if (response.status() === 410)
    response = await untilServed(() =>
      request.post(`${server.url}/api/auth/sign-in/email`, {
        headers: { origin: server.url },
        data: { email: person.email, password: person.password },
      }),
    );
  if (!response.ok()) throw new Error(`The sign-up answered ${response.status()}: ${await response.text()}`);
  return person;
}

export interface Mail {
  id: string;
  subject: string;
  text: string;
  /** Targets of its links. */
  links: string[];
}

/** Waits for a transactional email in the system mailbox. @returns the newest with this subject */
export async function readMail(
  request: APIRequestContext,
  { url, mailboxUrl }: Server,
  recipient: string,
  subject: string | RegExp,
): Promise<Mail> {
  await request.get(mailboxUrl, { maxRedirects: 0 });
  const api = apiOf(request, url);
  let id: string | undefined;
  await expect
    .poll(
      async () => {
        const { items } = await api.get<{ items: { id: string; subject: string }[] }>(
          `/system_mailbox?search=${encodeURIComponent(recipient)}`,
        );
        id = items.find((item) => item.subject.search(subject) !== -1)?.id;
        return items.map((item) => item.subject);
      },
      { message: `a mail to ${recipient}`, intervals: [20, 50, 100] },
    )
    .toContainEqual(expect.stringMatching(subject));
  const mail = await api.get<{ subject: string; text: string | null; links: { url: string }[] }>(
    `/system_mailbox/${id!}`,
  );
  return { id: id!, subject: mail.subject, text: mail.text ?? '', links: mail.links.map((link) => link.url) };
}

/** Invites a user, who accepts. */
export async function addMember(
  api: Api,
  organization_id: string,
  member: { api: Api; person: Person },
  role: string,
  client_ids: string[] = [],
): Promise<void> {
  const { items } = await api.post<{ items: { url: string }[] }>('/organizations/invitations/create', {
    organization_id,
    emails: [member.person.email],
    role,
    client_ids,
  });
  await member.api.put(`/organizations/invitations/${items[0]!.url.split('/').at(-1)!}`, {});
}

export interface PreparedEmail {
  clientId: string;
  brandId: string;
  campaignId: string;
  filterId: string;
  templateId: string;
  touchpointId: string;
}

export type Contact = Record<string, string | boolean>;

interface EmailOptions {
  contacts?: readonly Contact[];
  mjml?: string;
  subject?: string;
  /** Names of the records. */
  brand?: string;
  fromName?: string;
}

export const threeContacts: readonly Contact[] = [
  { email: 'ada@contacts.example', first_name: 'Ada', country: 'GB' },
  { email: 'grace@contacts.example', first_name: 'Grace', country: 'US' },
  { email: 'zuse@contacts.example', first_name: 'Konrad', country: 'DE' },
];

export const mjmlWithLink = (target: string): string => `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>Hello {{ contact.first_name | default: "there" }}, this is {{ brand.name }}.</mj-text>
        <mj-button href="${target}">Read the offer</mj-button>
        <mj-text><a href="{{ links.unsubscribe }}">Unsubscribe</a></mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

/** Creates all records that are needed to send an email, without a browser. */
export async function prepareEmail(
  api: Api,
  organization_id: string,
  options: EmailOptions = {},
): Promise<PreparedEmail> {
  const {
    contacts = threeContacts,
    mjml = mjmlWithLink('https://shop.example/'),
    subject = 'News',
  } = options;
  const { brand: brandName = 'Nordwind', fromName = 'Nordwind' } = options;
  for (const data of contacts) await api.post(`/content/${organization_id}/items/contacts`, data);
  type Made = { id: string };
  const client = await api.post<Made>('/clients', { organization_id, name: `${brandName} Outdoor` });
  const brand = await api.post<Made>('/brands', {
    organization_id,
    client_id: client.id,
    name: brandName,
    tracking_policy: 'everyone',
  });
  const campaign = await api.post<Made>('/campaigns', {
    organization_id,
    brand_id: brand.id,
    name: `${brandName} spring`,
  });
  const filter = await api.post<Made>('/filters', { organization_id, name: `Everybody at ${brandName}` });
  const template = await api.post<Made>(`/content/${organization_id}/templates`, {
    title: `${brandName} letter`,
    mjml,
  });
  const touchpoint = await api.post<Made>('/touchpoints', {
    organization_id,
    campaign_id: campaign.id,
    name: `${brandName} news`,
    type: 'email',
  });
  await api.patch(`/touchpoints/${touchpoint.id}/email`, {
    filter_id: filter.id,
    template_id: template.id,
    subject,
    from_name: fromName,
    from_email: 'news@nordwind.example',
  });
  return {
    clientId: client.id,
    brandId: brand.id,
    campaignId: campaign.id,
    filterId: filter.id,
    templateId: template.id,
    touchpointId: touchpoint.id,
  };
}

/** Lets an email be sent three days after a link of another one was clicked. */
export async function connect(
  api: Api,
  organization_id: string,
  { campaignId, touchpointId }: PreparedEmail,
  listenerId: string,
): Promise<void> {
  const actions =
    await api.get<{ id: string; name: string; notifier_touchpoint_type: string | null }[]>(
      '/touchpoint_event_actions',
    );
  const { id } = await api.post<{ id: string }>('/touchpoint_events', {
    organization_id,
    campaign_id: campaignId,
    event_type: 'CLICK',
    notifier_touchpoint_id: touchpointId,
    touchpoint_event_action_id: actions.find(
      (action) => action.name === 'send_email' && action.notifier_touchpoint_type === 'email',
    )!.id,
  });
  await api.post(`/touchpoint_events/${id}/listeners`, {
    listener_touchpoint_id: listenerId,
    delay: 'P3D',
    unless: { event_type: 'UNSUBSCRIBE' },
  });
}

/** Sends without the minute in which a send can be undone, and waits for its end. */
export async function sendAtOnce(api: Api, touchpointId: string): Promise<string> {
  const { id } = await api.post<{ id: string }>(`/touchpoints/${touchpointId}/sends`, { immediately: true });
  await expect
    .poll(async () => (await api.get<{ end_date: string | null }>(`/sends/${id}`)).end_date, {
      message: 'the send ends',
      timeout: 60_000,
    })
    .not.toBeNull();
  return id;
}
