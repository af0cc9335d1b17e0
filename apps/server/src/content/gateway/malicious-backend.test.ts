import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Collection, Item } from '@reachout/contract/content.ts';
import type { ContentBackend } from '@reachout/contract/content-backend.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { outboundLimits } from '../../platform/outbound/outbound-client.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import type { ReadingOrder, ReadingReport } from '../../testing/malicious-reader.ts';
import { misbehaviors, startMaliciousServer, type MaliciousServer } from '../../testing/malicious-server.ts';
import { signInOwner } from '../../testing/create-organization.ts';
import { listen } from '../../testing/listen.ts';
import { assertColumn } from '../../testing/assert-column.ts';

const token = 'secret-token-of-their-cms-0123456789';

suite('malicious content backends (OUT-2 to OUT-6)', () => {
  let cms: MaliciousServer;
  let app: TestApp;
  let owner: Person;
  let organizationId: string;
  let inside: Server;
  let reached = 0;

  before(async () => {
    cms = await startMaliciousServer();
    // A service in the installation's own network, which the operator has not allowed.
    inside = createServer((_request, response) => void response.end('secret'));
    inside.on('connection', () => {
      reached += 1;
    });
    await listen(inside);
    app = await createTestApp(
      { privateHosts: [`127.0.0.1:${cms.port}`] },
      { outboundLimits: { ...outboundLimits, totalMs: 5_000, failures: 1_000 } },
    );
    ({ owner, organizationId } = await signInOwner(app));
    await ask('POST', '/items/contacts', { email: 'here@x.example' });
    const connected = await connect({ endpoint: cms.url, access_token: token });
    assert.equal(connected.status, 200, JSON.stringify(connected.body));
  });
  after(async () => {
    inside.close();
    cms.close();
    await app.close();
  });

  const ask = <T = Problem>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
    owner.request<T>(method, `/api/content/${organizationId}${path}`, body);
  const backendPath = () => `/api/organizations/${organizationId}/content_backend`;
  const connect = (body: object) => owner.request<ContentBackend & Problem>('PUT', backendPath(), body);
  const listItems = (misbehavior: string) =>
    ask<{ data: Item[] } & Problem>(
      'GET',
      `/items/contacts?${new URLSearchParams({ search: misbehavior }).toString()}`,
    );
  const failureOf = ({ body }: { body: Problem }) =>
    (body.data as { failure?: string } | undefined)?.failure ?? body.code;

  /** Reads in a separate process, in which nothing else uses memory. */
  const readApart = async (what: string, kind: ReadingOrder['kind']): Promise<ReadingReport> => {
    const child = fork(join(import.meta.dirname, '../../testing/malicious-reader.ts'));
    child.send({
      host: `127.0.0.1:${cms.port}`,
      good: cms.urlOf('good'),
      malicious: cms.urlOf(what),
      kind,
    } satisfies ReadingOrder);
    const [report] = (await once(child, 'message')) as [ReadingReport];
    child.disconnect();
    await once(child, 'exit');
    return report;
  };

  test('invalid responses are classified without exposing the token', async () => {
    // The slow ones run in parallel.
    const slow = new Map(
      Object.entries(misbehaviors)
        .filter(([, { failure }]) => failure === 'timeout')
        .map(([what]) => [what, listItems(what)]),
    );
    for (const [what, { failure }] of Object.entries(misbehaviors)) {
      const response = await (slow.get(what) ?? listItems(what));
      if (failure === null) {
        assert.equal(response.status, 200, `${what}: ${JSON.stringify(response.body)}`);
      } else {
        assertProblem(response, 424, 'backend_failed', what);
        assert.equal(failureOf(response), failure, what);
      }
      const shown = JSON.stringify(response.body);
      assert.ok(!shown.includes(token), `${what} shows the token`);
      assert.ok(!shown.includes('__proto__'), what);
    }
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  test('files are served by their bytes with safe headers', async () => {
    const read = (what: string) =>
      app.app.inject({
        url: `/api/content/${organizationId}/assets/${cms.fileOf(what)}`,
        headers: owner.headers,
      });
    const failing = {
      'an endless body': 'too_large',
      'a few bytes that become many': 'too_large',
      'a slow drip': 'timeout',
      'a broken connection': 'connection',
      'an error of its own': 'status',
      'a token that was revoked': 'credentials',
      'its token in an error': 'rejected',
      'its token in an item': 'malformed',
    };
    const responses = await Promise.all(
      Object.entries(failing).map(async ([what, failure]) => ({ what, failure, response: await read(what) })),
    );
    for (const { what, failure, response } of responses) {
      assert.equal(response.statusCode, 424, `${what}: ${response.body.slice(0, 500)}`);
      assert.equal(response.json<Problem & { data: { failure: string } }>().data.failure, failure, what);
      assert.ok(!response.body.includes(token), `${what} shows the token`);
    }
    for (const what of ['a web page', 'broken JSON', 'names of prototypes']) {
      const { statusCode, headers } = await read(what);
      assert.equal(statusCode, 200, what);
      assert.deepEqual(
        ['content-type', 'content-disposition', 'x-content-type-options', 'content-security-policy'].map(
          (name) => headers[name],
        ),
        [
          'application/octet-stream',
          `attachment; filename*=UTF-8''..reportgnp.html${'x'.repeat(183)}`,
          'nosniff',
          "sandbox; default-src 'none'",
        ],
      );
    }
  });

  test('failed writes keep the connection and the stored items', async () => {
    for (const what of ['an error of its own', 'a web page', 'a token that was revoked', 'broken JSON']) {
      cms.behave(what);
      assertProblem(await ask('POST', '/items/contacts', { email: 'x@x.example' }), 424, 'backend_failed');
    }
    cms.behave(undefined);
    assert.equal((await listItems('')).body.data[0]?.['email'], 'a@x.example');
  });

  test('invalid collections and fields of a schema are hidden', async () => {
    cms.behave(undefined);
    const body = await owner.ok<ContentBackend>('POST', `${backendPath()}/check`);
    assert.equal(body.directus?.state, 'connected', JSON.stringify(body));
    assert.equal(body.directus.server_version, null);
    const collections = await ask<{ data: Collection[] }>('GET', '/collections');
    assert.deepEqual(
      collections.body.data.map(({ collection }) => collection),
      ['contacts'],
      JSON.stringify(collections.body),
    );
    const fields = await ask<{ data: Field[] }>('GET', '/fields/contacts');
    assert.deepEqual(
      fields.body.data.map(({ field, default_value, choices, sort }) => [
        field,
        default_value,
        choices,
        sort,
      ]),
      [
        ['choice', null, null, null],
        ['city', null, null, null],
        ['size', null, null, null],
        ['state', null, null, null],
      ],
    );
  });

  test('nested items are never written through a relation (TEN-2)', async () => {
    cms.behave(undefined);
    for (const city of [{ id: '1', secret: 'x' }, { create: [], update: [{ id: '1' }], delete: ['2'] }, [{}]])
      for (const [method, path] of [
        ['POST', '/items/contacts'],
        ['PATCH', '/items/contacts/1'],
      ] as const)
        assertProblem(await ask(method, path, { city }), 422, 'validation_failed', JSON.stringify(city));
    // Its response is invalid, but the request was sent.
    assertProblem(await ask('PATCH', '/items/contacts/1', { city: 'Bonn' }), 424, 'backend_failed');
  });

  test('redirects never reach internal addresses', async () => {
    const { port } = inside.address() as AddressInfo;
    const locations = [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, 'http://169.254.169.254/'];
    for (const location of locations) {
      misbehaviors['a redirect'] = {
        failure: 'redirect',
        answer: (_request, response) => void response.writeHead(307, { location }).end(),
      };
      assert.equal(failureOf(await listItems('a redirect')), 'redirect');
      const file = await ask('GET', `/assets/${cms.fileOf('a redirect')}`);
      assert.equal(failureOf(file), 'redirect');
    }
    delete misbehaviors['a redirect'];
    for (const endpoint of [`http://127.0.0.1:${port}`, `http://[::ffff:127.0.0.1]:${port}`]) {
      const response = await connect({ endpoint, access_token: token });
      assertProblem(response, 424, 'backend_failed', endpoint);
    }
    assert.equal(reached, 0);
  });

  test('a silent backend does not delay other organizations', async () => {
    const { owner: other, organizationId: theirs } = await signInOwner(app);
    cms.behave('no answer');
    let answered = 0;
    const stuck = Array.from({ length: 20 }, async () => {
      const response = await ask('GET', '/items/contacts');
      answered += 1;
      return response.status;
    });
    const allWait = () => answered === 0;
    let served = 0;
    while (served < 10 && allWait()) {
      const { status } = await other.request('GET', `/api/content/${theirs}/items/contacts`);
      // On a busy machine, it may wait too long for connections.
      if (status !== 503) assert.equal(status, 200);
      if (status === 200 && allWait()) served += 1;
    }
    assert.ok(served > 0, 'others are served while its own requests wait');
    for (const status of await Promise.all(stuck))
      assert.ok(status === 424 || status === 503, String(status));
  });

  test('reading malicious responses grows memory by under 50 MB', async () => {
    const large = [
      'an endless body',
      'a few bytes that become many',
      'a million fields',
      'as many values as are read',
      'a depth of 100,000',
    ];
    const files = ['an endless body', 'a few bytes that become many'];
    const reports = await Promise.all([
      ...large.map(async (what) => ({ what, ...(await readApart(what, 'items')) })),
      ...files.map(async (what) => ({ what, ...(await readApart(what, 'file')) })),
    ]);
    for (const { what, failure, growth } of reports) {
      assert.equal(failure, what === 'as many values as are read' ? null : 'too_large', what);
      assert.ok(growth < 50 * 2 ** 20, `${what}: ${Math.round(growth / 2 ** 20)} MB`);
    }
  });

  test('disconnecting a malicious backend restores the built-in items', async () => {
    await owner.ok('DELETE', backendPath());
    const { body } = await ask<{ data: Item[] }>('GET', '/items/contacts');
    assertColumn(body.data, 'email', ['here@x.example']);
  });
});
