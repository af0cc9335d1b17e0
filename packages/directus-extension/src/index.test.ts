import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, suite, test } from 'node:test';

// A Directus calls the extension with its router and services; these are the few of them that it uses. tests/real-directus runs it
// in a real one.

type Query = Record<string, unknown>;
interface Answer {
  status: number;
  headers: Record<string, string>;
  body: { errors?: { extensions: { code: string } }[]; data?: unknown };
}
type Handler = (request: object, response: object, fail: (error: unknown) => void) => void;
interface Extension {
  id: string;
  handler: (router: { get: (path: string, handle: Handler) => void }, context: object) => void;
}

/** Touchpoints that the caller may read; the Directus has three. */
const readable = new Set(['one']);
const allTouchpoints = 3;

class ItemsService {
  readonly #isLimited: boolean;
  constructor(_collection: string, { accountability }: { accountability: object | null }) {
    this.#isLimited = accountability !== null;
  }
  readOne(id: string): Promise<object> {
    return readable.has(id) ? Promise.resolve({ id }) : Promise.reject(new Error('Forbidden'));
  }
  readByQuery(): Promise<object[]> {
    return Promise.resolve([{ count: this.#isLimited ? readable.size : allTouchpoints }]);
  }
}

suite('Directus extension', () => {
  const asked: IncomingMessage[] = [];
  const warnings: string[] = [];
  let respond: (response: ServerResponse) => void;
  let platform: string;
  let extension: Extension;
  const server = createServer((request, response) => {
    asked.push(request);
    respond(response);
  });
  before(async () => {
    const source = './index.js';
    ({ default: extension } = (await import(source)) as { default: Extension });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    platform = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked.length = 0;
    warnings.length = 0;
    respond = (response) => void response.end('{"data":{"delivered":5}}');
  });

  function call(
    path: string,
    query: Query = {},
    { user = 'u1', env = {} }: { user?: string | null; env?: object } = {},
  ) {
    const handlers = new Map<string, Handler>();
    extension.handler(
      { get: (given, handle) => void handlers.set(given, handle) },
      {
        services: { ItemsService },
        getSchema: () => Promise.resolve({}),
        logger: { warn: (line: string) => void warnings.push(line) },
        env: { REACHOUT_PLATFORM_URL: `${platform}/`, REACHOUT_PLATFORM_TOKEN: 'key-1', ...env },
      },
    );
    const request = { accountability: { user }, query, headers: { authorization: 'Bearer of-the-caller' } };
    return new Promise<Answer>((resolve, reject) => {
      const answer: Partial<Answer> = {};
      const response = {
        status: (status: number) => Object.assign(response, void (answer.status = status)),
        set: (headers: Answer['headers']) => Object.assign(response, void (answer.headers = headers)),
        json: (body: Answer['body']) => resolve({ ...answer, body } as Answer),
      };
      handlers.get(path)!(request, response, reject);
    });
  }
  const codeOf = ({ status, body }: Answer) => [status, body.errors?.[0]?.extensions.code];
  const stats = '/touchpoint_emails/stats';

  test('known parameters are forwarded with the extension’s key', async () => {
    const answer = await call(stats, { touchpoint: 'one', period: '7d', fields: '*', distinct: ['a'] });
    assert.deepEqual([answer.status, answer.body], [200, { data: { delivered: 5 } }]);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(asked[0]?.url, '/reachout/touchpoint_emails/stats?touchpoint=one&period=7d');
    assert.equal(asked[0]?.headers.authorization, 'Bearer key-1');
  });

  test('statistics of websites are forwarded with distinct', async () => {
    const query = { touchpoint: 'one', period: '30day', time_zone: 'Europe/Berlin', distinct: 'true' };
    for (const name of ['stats', 'metrics', 'event_stats_chart', 'stats_chart'])
      assert.equal((await call(`/touchpoint_websites/${name}`, query)).status, 200, name);
    assert.deepEqual(
      asked.map(({ url }) => url),
      ['stats', 'metrics', 'event_stats_chart', 'stats_chart'].map(
        (name) => `/reachout/touchpoint_websites/${name}?${new URLSearchParams(query).toString()}`,
      ),
    );
  });

  const refused: [what: string, path: string, query: Query, user: string | null][] = [
    ['a request without a user', stats, { touchpoint: 'one' }, null],
    ['a touchpoint that the caller cannot read', stats, { touchpoint: 'two' }, 'u1'],
    ['all touchpoints, of which the caller can read some', '/db/metrics', {}, 'u1'],
  ];
  for (const [what, path, query, user] of refused)
    test(`${what} is rejected without a request`, async () => {
      assert.deepEqual(codeOf(await call(path, query, { user })), [403, 'FORBIDDEN']);
      assert.equal(asked.length, 0);
    });

  test('readers of everything get all touchpoints', async () => {
    for (const id of ['two', 'three']) readable.add(id);
    assert.equal((await call('/db/metrics')).status, 200);
    for (const id of ['two', 'three']) readable.delete(id);
  });

  const failing: [what: string, env: object, reply: ((response: ServerResponse) => void) | undefined][] = [
    ['has no key', { REACHOUT_PLATFORM_TOKEN: undefined }, undefined],
    ['cannot connect', { REACHOUT_PLATFORM_URL: 'http://127.0.0.1:1' }, undefined],
    ['is refused', {}, (response) => void response.writeHead(401).end('{}')],
    ['is redirected', {}, (response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
    ['gets no JSON', {}, (response) => void response.end('<html>')],
    ['gets more than 5 MB', {}, (response) => void response.end(`"${'x'.repeat(5_000_001)}"`)],
  ];
  for (const [what, env, reply] of failing)
    test(`the extension is unavailable when it ${what}`, async () => {
      respond = reply ?? respond;
      const answer = await call(stats, { touchpoint: 'one' }, { env });
      assert.deepEqual(codeOf(answer), [503, 'SERVICE_UNAVAILABLE']);
      assert.doesNotMatch(JSON.stringify([answer, warnings]), /key-1/);
    });

  test('errors and Retry-After are passed back', async () => {
    respond = (response) => void response.writeHead(429, { 'retry-after': '7' }).end('{"errors":[]}');
    const { status, headers } = await call(stats, { touchpoint: 'one' });
    assert.deepEqual([status, headers['retry-after']], [429, '7']);
  });
});
