import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import type { ScryptCost } from '../identity/auth/passwords/password-hash.ts';
import { readConfig, type Config, type DatabaseLogins } from '../platform/config.ts';
import { connect, type Database } from '../platform/database/database.ts';
import { createLog, type Log } from '../platform/log.ts';
import { createOutboundClient, type OutboundLimits } from '../platform/outbound/outbound-client.ts';
import type { Problem } from '../platform/http/problem.ts';
import { closeServices, createServices, type ServiceLimits, type Services } from '../services.ts';
import { buildMember, buildUser } from '../sample/records.ts';
import { createTestDatabase } from './database.ts';
import { keepOpen } from './open-handles.ts';
import { testSecretKey } from './test-secrets.ts';

/** Hashing takes 2 ms, a hundredth of the recommended cost: tests hash hundreds of passwords. */
const lowCost: ScryptCost = { N: 2 ** 10, r: 8, p: 1 };
/** Hashing takes about 30 ms: long enough to detect a skipped hash, and requests that wait for others. */
export const noticeableCost: ScryptCost = { N: 2 ** 14, r: 8, p: 1 };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'SEARCH';

/** A signed-in user, or a program with a key of theirs, who sends requests. */
export interface Person {
  userId: string;
  email: string;
  /** The headers that a browser sends from one of our own pages. */
  headers: Record<string, string>;
  request: <T = Problem>(method: Method, path: string, body?: unknown) => Promise<TestResponse<T>>;
  /** Like `request`, for requests that must succeed. @returns the body */
  ok: <T>(method: Method, path: string, body?: unknown) => Promise<T>;
}

export interface TestRequest {
  body?: unknown;
  /** The caller; anonymous when left out. */
  as?: Person | undefined;
  headers?: Record<string, string>;
}

/** @typeParam T  what the test expects the body to be; nothing checks it */
export interface TestResponse<T> {
  status: number;
  body: T;
  headers: Record<string, string | string[] | number | undefined>;
}

export interface TestApp {
  app: FastifyInstance;
  services: Services;
  /** Logs in as the owner of all tables: for builders, and for reading without row-level security. */
  owner: Database;
  ownerUrl: string;
  appUrl: string;
  authUrl: string;
  /** Signs in a new user, or the given one. */
  signIn: (person?: { userId: string; email: string }) => Promise<Person>;
  /** Signs in a new user who is a member of the organization. */
  signInMember: (organizationId: string, role?: string) => Promise<Person>;
  /** @returns whoever sends these headers */
  withHeaders: (person: Pick<Person, 'userId' | 'email' | 'headers'>) => Person;
  /** Injects a request. Bodies are sent as JSON, unless they are a form or already text. */
  request: <T = Problem>(method: Method, path: string, request?: TestRequest) => Promise<TestResponse<T>>;
  /** Like `request`, for requests that must succeed. @returns the body */
  ok: <T>(method: Method, path: string, request?: TestRequest) => Promise<T>;
  close: () => Promise<void>;
}

export interface TestAppOptions {
  log?: Log;
  /** Starts a proxy between the app and its database. @returns its port on this machine */
  connectThrough?: (database: { host: string; port: number }) => Promise<number>;
  /** Overrides of `roomyLimits`. */
  limits?: ServiceLimits;
  /** Uses the database of this other app, which must be closed last. */
  beside?: TestApp;
  /** Limits of requests to URLs that customers configure. */
  outboundLimits?: OutboundLimits;
  /** Folder of a built web app. */
  webFolder?: string;
  /** File of the built tracker. */
  trackerScript?: string;
}

/** Cheap password hashes, and waiting times that even a busy machine does not exceed. */
export const roomyLimits: ServiceLimits = {
  passwordCost: lowCost,
  maxWaitMs: 60_000,
  connectTimeoutMs: 60_000,
  // No provider is asked unless a test has a stand-in of it.
  endpoints: { elasticEmail: 'http://127.0.0.1:1/v4', ses: 'http://127.0.0.1:1', sns: 'http://127.0.0.1:1' },
};

/** Nobody answers there. */
const noDns = '127.0.0.1:1';

const unlimited = { person: 1_000_000, organization: 1_000_000, network: 1_000_000 };

/** Creates the real app with its own database. It listens on no port, and no worker runs. */
export async function createTestApp(
  settings: Partial<Config> = {},
  { log, connectThrough, limits, beside, outboundLimits, webFolder, trackerScript }: TestAppOptions = {},
): Promise<TestApp> {
  const database = beside ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'reachout-data-'));
  const config: Config = {
    ...readConfig({ DATA_DIR: dataDir, SECRET_KEY: testSecretKey, LOG_LEVEL: 'silent', DNS_SERVERS: noDns }),
    // All users of a test share one IP prefix, and do in seconds what would take hours.
    requestsPerMinute: unlimited,
    ...settings,
  };
  const services = createServices(
    config,
    connectThrough === undefined ? database : await redirect(database, connectThrough),
    log ?? createLog(config.logLevel),
    { ...roomyLimits, ...limits },
  );
  if (outboundLimits !== undefined) {
    await services.outbound.close();
    services.outbound = createOutboundClient(config.privateHosts, outboundLimits);
  }
  const app = await createApp(services, webFolder, trackerScript);
  const owner = connect(database.ownerUrl, {
    name: 'tests',
    connections: 4,
    statementTimeoutMs: 60_000,
    onError: () => {},
  });
  const origin = new URL(config.publicUrl).origin;

  const signIn = async (given?: { userId: string; email: string }): Promise<Person> => {
    const { userId, email } = given ?? (await buildPerson(owner));
    const link = new URL(await services.auth.makeSignInLink(email));
    const { cookies } = await app.inject({ method: 'GET', url: `${link.pathname}${link.search}` });
    const cookie = cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
    if (cookie === '') throw new Error('The sign-in link gave no session.');
    return withHeaders({ userId, email, headers: { cookie, origin } });
  };

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it expects
  const request = async <T>(method: Method, path: string, { body, as, headers }: TestRequest = {}) => {
    const { type, payload } = await encodeBody(body);
    const response = await app.inject({
      method,
      url: path,
      headers: { ...type, ...as?.headers, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    return {
      status: response.statusCode,
      body: (response.body === '' ? undefined : parse(response.body)) as T,
      headers: response.headers,
    };
  };

  const ok = async <T>(method: Method, path: string, given?: TestRequest) => {
    const { status, body } = await request<T>(method, path, given);
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };

  const withHeaders: TestApp['withHeaders'] = (person) => ({
    ...person,
    request(method, path, body) {
      return request(method, path, { body, as: this });
    },
    ok(method, path, body) {
      return ok(method, path, { body, as: this });
    },
  });

  return {
    app,
    services,
    owner,
    ownerUrl: database.ownerUrl,
    appUrl: database.appUrl,
    authUrl: database.authUrl,
    signIn,
    signInMember: async (organization_id, role = 'owner') => {
      const person = await buildPerson(owner);
      await buildMember(owner, { organization_id, user_id: person.userId, role });
      return await signIn(person);
    },
    withHeaders,
    request,
    ok,
    close: async () => {
      await app.close();
      await closeServices(services);
      await owner.destroy();
      if ('drop' in database) await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let shared: Promise<TestApp> | undefined;

/** Requests may come from any address, and may lead to servers of the tests. */
const sharedSettings = { trustedProxies: ['127.0.0.1'], privateHosts: ['127.0.0.1'] };

/**
 * Shares one app among all suites of this process, for tests that stay within organizations and people of their own, and run no
 * jobs. Its database is not empty.
 * @returns the app, to be used in hooks and tests
 */
export function useSharedApp(): TestApp {
  const app = {} as TestApp;
  before(async () => {
    shared ??= keepOpen(() => createTestApp(sharedSettings));
    Object.assign(app, await shared);
  });
  return app;
}
// The process has run its last file.
process.once('disconnect', () => void shared?.then(({ close }) => close()));

/**
 * Creates an app for the tests of a suite, with its own database unless it is beside another one, and closes it after them.
 * @returns the app, to be used in hooks and tests
 */
export function useTestApp(settings?: Partial<Config>, options?: TestAppOptions): TestApp {
  const app = {} as TestApp;
  before(async () => void Object.assign(app, await createTestApp(settings, options)));
  after(() => app.close());
  return app;
}

async function encodeBody(
  body: unknown,
): Promise<{ type?: { 'content-type': string }; payload?: string | Buffer }> {
  if (body === undefined) return {};
  if (body instanceof FormData) {
    const encoded = new Response(body);
    const payload = Buffer.from(await encoded.arrayBuffer());
    return { type: { 'content-type': encoded.headers.get('content-type')! }, payload };
  }
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  return { type: { 'content-type': 'application/json' }, payload };
}

async function redirect(
  { appUrl, authUrl }: DatabaseLogins,
  connectThrough: NonNullable<TestAppOptions['connectThrough']>,
): Promise<DatabaseLogins> {
  const { hostname: host, port } = new URL(appUrl);
  const newPort = String(await connectThrough({ host, port: Number(port) }));
  const atPort = (login: string) => Object.assign(new URL(login), { port: newPort }).href;
  return { appUrl: atPort(appUrl), authUrl: atPort(authUrl) };
}

async function buildPerson(owner: Database): Promise<{ userId: string; email: string }> {
  const { id, email } = await buildUser(owner);
  return { userId: id, email };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
