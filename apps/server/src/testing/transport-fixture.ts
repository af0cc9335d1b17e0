import { after, before } from 'node:test';
import type { Send } from '@reachout/contract/sends.ts';
import type { Recipient, SendReceipt } from '@reachout/contract/sends.ts';
import type { TransportKind, TransportSettings } from '@reachout/contract/rules/transports.ts';
import type { Transport, Transports } from '@reachout/contract/transports.ts';
import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { ProviderEndpoints } from '../email/transports/own-transport.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { startProductWorker } from './product-worker.ts';
import { startAmazonSes, startElasticEmail } from './provider-servers.ts';
import { buildReadyEmail, type ReadyEmail } from './ready-email.ts';
import { startSmtpSink, type SmtpSink } from './smtp-sink.ts';
import { testCertificate } from './smtp-certificate.ts';
import { waitUntil } from './wait-until.ts';
import { createWaker } from './wake-workers.ts';

export type ElasticServer = Awaited<ReturnType<typeof startElasticEmail>>;
export type SesServer = Awaited<ReturnType<typeof startAmazonSes>>;

/** Secrets that the stand-ins take. */
export const transportSecrets = {
  smtp: 'canary-password-51c0',
  elastic_email: 'canary-key-7be2-elastic',
  ses: 'canary-access-key-90aa',
} satisfies Record<TransportKind, string>;

/** A sender that owns transports. */
export interface TransportOwner extends ReadyEmail {
  request: <T = Transports>(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT',
    path: string,
    body?: object,
  ) => Promise<T>;
}

export interface TransportFixture {
  app: TestApp;
  endpoints: ProviderEndpoints;
  elastic: ElasticServer;
  ses: SesServer;
  /** Of organizations, with sign-in. */
  smtp: SmtpSink;
  /** Of the installation. */
  installation: SmtpSink;
  settings: Record<TransportKind, TransportSettings>;
  wake: () => Promise<void>;
  /** Starts the product's worker again. */
  restartWorker: () => Promise<void>;
}

/** For a suite: an app with a worker, which share a log, and stand-ins of all that they may send by. */
export function useTransports(options: Pick<TestAppOptions, 'log'> = {}): TransportFixture {
  const fixture = {} as TransportFixture;
  let worker: ReturnType<typeof startProductWorker>;
  before(async () => {
    const [elastic, ses] = [await startElasticEmail(), await startAmazonSes()];
    const smtp = await startSmtpSink({
      keepMessages: true,
      account: { username: 'sender', password: transportSecrets.smtp },
    });
    const installation = await startSmtpSink({ keepMessages: true });
    const endpoints = { ...elastic.endpoints, ...ses.endpoints, smtpCa: testCertificate };
    const app = await createTestApp(
      {
        smtpUrl: installation.url,
        senderDomains: ['nordwind.example'],
        dailyRecipientLimit: 1_000_000,
        privateHosts: ['127.0.0.1', 'localhost'],
      },
      { ...options, limits: { endpoints } },
    );
    const settings: TransportFixture['settings'] = {
      elastic_email: { kind: 'elastic_email' },
      smtp: {
        kind: 'smtp',
        host: 'localhost',
        port: Number(new URL(smtp.url).port),
        security: 'starttls',
        username: 'sender',
        envelope: 'ours',
      },
      ses: {
        kind: 'ses',
        region: 'eu-west-1',
        access_key_id: 'AKIAEXAMPLE12345',
        configuration_set: null,
        topic_arn: 'arn:aws:sns:eu-west-1:123456789012:reachout',
        tenant_name: null,
      },
    };
    const wake = createWaker(app.owner);
    const start = () => {
      const until = { after: () => undefined };
      worker = startProductWorker(until, app, installation, { endpoints }, undefined, options.log);
    };
    const restartWorker = async () => {
      await worker.stop();
      start();
    };
    start();
    Object.assign(fixture, {
      app,
      endpoints,
      elastic,
      ses,
      smtp,
      installation,
      settings,
      wake,
      restartWorker,
    });
  });
  after(async () => {
    await worker.stop();
    const { app, elastic, ses, smtp, installation } = fixture;
    await app.close();
    elastic.close();
    ses.close();
    await Promise.all([smtp.close(), installation.close()]);
  });
  return fixture;
}

/** An organization with an email that can be sent, and the key of Elastic Email. */
export async function buildOwner({ app }: TransportFixture, contacts: number): Promise<TransportOwner> {
  const email = await buildReadyEmail(app, { contacts });
  const owner: TransportOwner = {
    ...email,
    request: (method, path, body) =>
      email.person.ok(method, `/api${path.replace('~', `/organizations/${email.organizationId}`)}`, body),
  };
  await owner.request('PUT', '~/elastic_email_key', { api_key: transportSecrets.elastic_email });
  return owner;
}

/** Adds a transport, after the check, and has it send for the organization, or for the brand of the email. */
export async function addTransport(
  { settings }: Pick<TransportFixture, 'settings'>,
  owner: TransportOwner,
  kind: TransportKind,
  {
    of = 'organization',
    ...more
  }: { of?: 'organization' | 'brand' | 'nobody'; webhook_secret?: string } = {},
): Promise<Transport> {
  const secret = kind === 'elastic_email' ? {} : { secret: transportSecrets[kind] };
  const body = { name: `My ${kind}`, settings: settings[kind], ...secret, ...more };
  const { items } = await owner.request('POST', '~/transports', body);
  const transport = items.find(({ name }) => name === body.name)!;
  if (of !== 'nobody') await choose(owner, transport, of);
  return transport;
}

export const choose = (owner: TransportOwner, { id }: { id: string | null }, of = 'organization') =>
  owner.request('PUT', '~/transports/choice', {
    brand_id: of === 'brand' ? owner.brandId : null,
    transport_id: id,
  });

export const getTransport = async (owner: TransportOwner, { id }: Transport): Promise<Transport> =>
  (await owner.request('GET', '~/transports')).items.find((transport) => transport.id === id)!;

export const startSend = (
  { touchpointId, request }: TransportOwner,
  uncertain_policy: UncertainPolicy = 'retry',
): Promise<Send> =>
  request<Send>('POST', `/touchpoints/${touchpointId}/sends`, { immediately: true, uncertain_policy });

export const listRecipients = async ({ request }: TransportOwner, { id }: Send): Promise<Recipient[]> =>
  (await request<{ items: Recipient[] }>('GET', `/sends/${id}/deliveries?page_size=100`)).items;

export const transportsOf = async ({ request }: TransportOwner, { id }: Send) =>
  (await request<SendReceipt>('GET', `/sends/${id}/receipt`)).transports;

export const waitForSend = (
  { wake }: TransportFixture,
  { request }: TransportOwner,
  { id }: Send,
  what: string,
  isSo: (send: Send) => boolean | Promise<boolean>,
): Promise<Send> =>
  waitUntil(what, async () => {
    await wake();
    const send = await request<Send>('GET', `/sends/${id}`);
    return (await isSo(send)) ? send : undefined;
  });
