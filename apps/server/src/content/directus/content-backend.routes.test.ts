import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { ContentBackend } from '@reachout/contract/content-backend.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { createOrganization, signInOwner } from '../../testing/create-organization.ts';
import { newId } from '../../platform/ids.ts';
import { findFreePort } from '../../testing/find-free-port.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { listen } from '../../testing/listen.ts';
import { findRow, listRows, updateRows } from '../../testing/rows.ts';
import type { Problem } from '../../platform/http/problem.ts';

/**
 * The Directus is the REST interface of another organization at a real address, which looks like another process of the
 * same product.
 */
suite('connection to a Directus', () => {
  let remote: TestApp;
  let app: TestApp;
  let hostile: Server;
  let answer: RequestListener = (_request, response) => void response.end();
  let owner: Person;
  let organizationId: string;
  let path: string;
  let endpoint: string;
  let hostileEndpoint: string;
  let token: string;
  let keyId: string;

  before(async () => {
    remote = await createTestApp();
    const address = await remote.app.listen({ host: '127.0.0.1', port: 0 });
    const them = await remote.signIn();
    const theirs = await createOrganization(remote, them);
    const key = await makeKeyOf(remote, theirs, them.userId, ['content:read', 'content:write']);
    token = key.token;
    keyId = key.keyId;
    endpoint = `${address}/content/${theirs}`;

    hostile = createServer((request, response) => answer(request, response));
    hostileEndpoint = `http://127.0.0.1:${await listen(hostile)}`;
    app = await createTestApp({ privateHosts: ['127.0.0.1'] }, { beside: remote });
    ({ owner, organizationId } = await signInOwner(app));
    path = `/api/organizations/${organizationId}/content_backend`;
  });
  after(async () => {
    hostile.closeAllConnections();
    hostile.close();
    await app.close();
    await remote.close();
  });

  const get = async () => await owner.ok<ContentBackend>('GET', path);
  const connect = <T = ContentBackend>(body: object) => owner.request<T>('PUT', path, body);
  const failureOf = ({ body }: { body: Problem }) => (body.data as { failure: string } | undefined)?.failure;
  const stored = () => findRow(app.owner, 'organization_directus', '*', { organization_id: organizationId });

  test('an organization uses the built-in backend by default', async () => {
    assert.deepEqual(await get(), {
      kind: 'built_in',
      directus: null,
      built_in: { collection_count: 2, audience_count: 0 },
    });
  });

  test('a connection is stored after a successful check only', async () => {
    const wrong: [body: object, failure: string][] = [
      [{ endpoint: 'https://10.0.0.1', access_token: token }, 'private'],
      [{ endpoint: 'http://cms.example', access_token: token }, 'address'],
      [{ endpoint: `http://127.0.0.1:${await findFreePort()}`, access_token: token }, 'refused'],
      [{ endpoint, access_token: 'reachout_wrong' }, 'credentials'],
      [{ endpoint: endpoint.replace(/\/content.*/, ''), access_token: token }, 'malformed'],
    ];
    for (const [body, failure] of wrong) {
      const response = await connect<Problem>(body);
      assertProblem(response, 424, 'backend_failed', failure);
      assert.equal(failureOf(response), failure, JSON.stringify(response.body));
    }
    assert.equal((await connect<Problem>({ endpoint })).status, 422, 'without a token');
    assert.equal(await stored(), undefined);
    const { status, body } = await connect({
      endpoint: `${endpoint}/`,
      access_token: token,
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      { ...body, directus: { ...body.directus, checked_at: '' } },
      {
        kind: 'directus',
        directus: {
          endpoint,
          access_token: { last_four: token.slice(-4) },
          state: 'connected',
          failure: null,
          error_content: null,
          server_version: null,
          missing_collections: body.directus?.missing_collections,
          collection_count: 2,
          checked_at: '',
        },
        built_in: { collection_count: 2, audience_count: 0 },
      },
    );
  });

  test('secrets are encrypted and never shown (SEC-1, SEC-2)', async () => {
    const log = await listRows(app.owner, 'audit_log', '*');
    const shown = JSON.stringify([await get(), log, await stored()]);
    assert.ok(!shown.includes(token));
    assert.ok(!shown.includes('elastic-key'));
    assert.equal(log.find(({ action }) => action === 'contentBackend.connect')?.record_name, endpoint);
  });

  test('collections and fields of a Directus are listed', async () => {
    const seen = await app.owner
      .selectFrom('directus_collections')
      .select(['collection', 'key_type', 'fields'])
      .where('organization_id', '=', organizationId)
      .orderBy('collection')
      .execute();
    assert.deepEqual(
      seen.map(({ collection, key_type }) => [collection, key_type]),
      [
        ['contacts', 'uuid'],
        ['newsletters', 'uuid'],
      ],
    );
    const fields = seen[0]!.fields as { field: string; unique: boolean; required: boolean }[];
    const email = fields.find(({ field }) => field === 'email');
    assert.deepEqual([email?.unique, email?.required], [true, true]);
  });

  test('a stored token is sent to its own address only (OUT-6)', async () => {
    const heard: unknown[] = [];
    answer = (request, response) => {
      heard.push(request.headers.authorization);
      response.end('pong');
    };
    assertProblem(await connect<Problem>({ endpoint: hostileEndpoint }), 422, 'invalid_input');
    assert.deepEqual(heard, []);
    assert.equal((await connect({ endpoint })).status, 200, 'the same address keeps it');
  });

  test('unexpected responses are classified within limits (OUT-5, OUT-6)', async () => {
    const json = (response: Parameters<RequestListener>[1], status: number, body: unknown) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    const secret = 'hostile-token-0123456789';
    // The suite of malicious backends has those that are read alike with and without a connection.
    const cases: [what: string, failure: string, RequestListener][] = [
      ['a list for an object', 'malformed', (_, response) => json(response, 200, { data: [1, 2] })],
      ['null', 'malformed', (_, response) => json(response, 200, 'null')],
      [
        'other types',
        'credentials',
        (_, response) => json(response, 200, { data: { id: 7, __proto__: null } }),
      ],
      ['an error without words', 'status', (_, response) => json(response, 500, { errors: [] })],
      ['a page that is not there', 'malformed', (_, response) => void response.writeHead(404).end('nothing')],
      [
        'what it was told',
        'rejected',
        (request, response) =>
          json(response, 400, {
            errors: [
              {
                message: `You said ${request.headers.authorization}\u0000, at 10.0.0.7:8055 and [::1] (93.184.216.34). ${'x'.repeat(600)}`,
                extensions: { code: 'INVALID_PAYLOAD' },
              },
            ],
          }),
      ],
    ];
    for (const [what, failure, listener] of cases) {
      answer = (request, response) =>
        request.url === '/server/ping'
          ? void response.writeHead(200, { 'content-type': 'text/html' }).end('pong')
          : listener(request, response);
      const response = await connect<Problem>({ endpoint: hostileEndpoint, access_token: secret });
      assert.equal(failureOf(response), failure, `${what}: ${JSON.stringify(response.body)}`);
      const { message } = response.body.data as { message: string };
      assert.ok(message.length > 0 && message.length <= 500, what);
      assert.doesNotMatch(JSON.stringify(response.body), /hostile-token|10\.0\.0\.7|::1|\\u0000/, what);
      if (failure === 'rejected')
        assert.match(message, /^You said Bearer … at … and … \(93\.184\.216\.34\)\. x/);
    }
    assert.equal((await get()).directus?.endpoint, endpoint, 'nothing of it was stored');
  });

  test('a check reports a revoked token', async () => {
    await updateRows(remote.owner, 'api_keys', { id: keyId }, { revoked_at: new Date().toISOString() });
    const check = async () => (await owner.ok<ContentBackend>('POST', `${path}/check`)).directus;
    const failing = await check();
    assert.deepEqual([failing?.state, failing?.failure], ['failing', 'credentials']);
    assert.ok((failing?.error_content ?? '') !== '');
    const revoke = (revoked_at: string | null) =>
      updateRows(remote.owner, 'api_keys', { id: keyId }, { revoked_at });
    await revoke(null);
    assert.deepEqual([(await check())?.state, (await get()).directus?.failure], ['connected', null]);

    // Any request updates the state, not only checks.
    const items = `/api/content/${organizationId}/items/contacts`;
    await revoke(new Date().toISOString());
    assertProblem(await owner.request('GET', items), 424, 'backend_failed');
    const met = (await get()).directus;
    assert.deepEqual([met?.state, met?.failure], ['failing', 'credentials']);
    await revoke(null);
    await owner.ok('GET', items);
    assert.deepEqual([(await get()).directus?.state, (await get()).directus?.failure], ['connected', null]);
  });

  test('a collection can exceed the fields of one response', async () => {
    const json = (response: Parameters<RequestListener>[1], data: unknown) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    const fieldsOf = (collection: string) => [
      { collection, field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: null },
      { collection, field: 'title', type: 'string', schema: {}, meta: null },
      listField(collection, 'size', { choices: [{ value: 'small' }, { value: 'large' }] }),
      listField(collection, 'color', { choices: [{ value: 'red' }], allowOther: true }),
      textField(collection, 'body', 'input-rich-text-html'),
      textField(collection, 'notes', 'input-rich-text-md'),
    ];
    const textField = (collection: string, field: string, name: string) => ({
      collection,
      field,
      type: 'text',
      schema: {},
      meta: { interface: name },
    });
    const listField = (collection: string, field: string, options: object) => ({
      collection,
      field,
      type: 'string',
      schema: {},
      meta: { interface: 'select-dropdown', options },
    });
    answer = ({ url = '' }, response) => {
      if (url === '/server/ping')
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('pong');
      if (url.startsWith('/users/me')) return json(response, { id: newId() });
      if (url.startsWith('/server/info')) return json(response, { version: '12.0.0' });
      if (url === '/collections')
        return json(
          response,
          ['wide_a', 'wide_b'].map((collection) => ({ collection, meta: null, schema: {} })),
        );
      if (url === '/fields')
        return json(
          response,
          Array.from({ length: 310_000 }, () => 1),
        );
      const [, collection] = /^\/fields\/(\w+)$/.exec(url) ?? [];
      if (collection !== undefined) return json(response, fieldsOf(collection));
      return json(response, [{ count: '0' }]);
    };
    const access_token = 'token-of-a-wide-directus';
    const { status, body } = await connect({ endpoint: hostileEndpoint, access_token });
    assert.deepEqual([status, body.directus?.collection_count], [200, 2], JSON.stringify(body));
    const { rows } = await sql<{ field: string; interface: string | null; choices: string[] | null }>`
      select f.field, f.interface, f.choices
      from directus_collections c, jsonb_to_recordset(c.fields) f(field text, interface text, choices jsonb)
      where c.organization_id = ${organizationId} and c.collection = 'wide_a' and f.field in ('body', 'color', 'notes', 'size')
      order by f.field`.execute(app.owner);
    assert.deepEqual(rows, [
      { field: 'body', interface: 'rich_text', choices: null },
      // Its list accepts other values, too.
      { field: 'color', interface: null, choices: null },
      // Markdown is read as it is written.
      { field: 'notes', interface: null, choices: null },
      { field: 'size', interface: 'select', choices: ['small', 'large'] },
    ]);
    assert.equal((await connect({ endpoint, access_token: token })).status, 200);
  });

  test('an interrupted set-up resumes with the existing parts', async () => {
    type Body = Record<string, unknown> & { fields?: Record<string, unknown>[] };
    const there: Record<'collections' | 'fields' | 'relations' | 'users' | 'permissions', Body[]> = {
      collections: [],
      fields: [],
      relations: [],
      users: [],
      permissions: [],
    };
    /** Accepted requests, by path. */
    const takes: Record<string, (body: Body) => void> = {
      '/collections': ({ fields = [], ...collection }) => {
        there.collections.push(collection);
        for (const field of fields) there.fields.push({ ...field, collection: collection['collection'] });
      },
      '/relations': (body) => void there.relations.push(body),
      '/roles': () => void there.users.push({ id: newId(), role: newId() }),
      '/permissions': (body) => void there.permissions.push(...(body as unknown as Body[])),
    };
    const posts: string[] = [];
    let refuses = (_post: string) => false;
    const lists: Record<string, () => unknown> = {
      ...Object.fromEntries(Object.entries(there).map(([name, rows]) => [`/${name}`, () => rows])),
      '/access': () => [{ policy: newId() }],
      '/users/me': () => there.users[0],
      '/server/info': () => ({ version: '12.0.0' }),
    };
    const respond = async (...[request, response]: Parameters<RequestListener>) => {
      const { pathname } = new URL(request.url ?? '', hostileEndpoint);
      if (pathname === '/server/ping')
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('pong');
      const send = (status: number, body: object) =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.method !== 'POST') return send(200, { data: lists[pathname]?.() ?? [{ count: '0' }] });
      const body = JSON.parse((await request.toArray()).join('')) as Body;
      const what = [pathname, body['collection'], body['field']].filter(Boolean).join(' ');
      if (refuses(what))
        return send(403, { errors: [{ message: 'Not today.', extensions: { code: 'FORBIDDEN' } }] });
      posts.push(what);
      takes[pathname]!(body);
      return send(200, { data: {} });
    };
    answer = (request, response) => void respond(request, response);
    const setUp = <T = Problem>() =>
      owner.request<T>('POST', `${path}/set_up`, {
        endpoint: hostileEndpoint,
        admin_token: 'token-of-an-administrator',
      });
    interface Steps {
      created: { kind: string; name: string }[];
      unfinished: { kind: string; name: string }[];
    }
    const say = (steps: Steps['created']) => steps.map(({ kind, name }) => `${kind} ${name}`);
    const breakOff = async (at: string) => {
      refuses = (post) => post === at;
      const response = await setUp();
      assertProblem(response, 424, 'backend_failed', at);
      assert.equal(failureOf(response), 'not_allowed');
      const { created, unfinished } = response.body.data as Steps;
      return [say(created), say(unfinished)];
    };

    assert.deepEqual(await breakOff('/collections reachout_campaigns'), [
      ['collection reachout_clients', 'collection reachout_brands'],
      ['collection reachout_campaigns'],
    ]);
    const later = ['campaigns', 'touchpoints', 'templates'].map((name) => `collection reachout_${name}`);
    const [made, unfinished] = await breakOff('/relations reachout_campaigns brand');
    assert.deepEqual(made?.slice(0, 3), later);
    assert.ok(made.length > 3 && made.slice(3).every((step) => step.startsWith('relation ')), made.join());
    assert.deepEqual(unfinished, ['relation reachout_campaigns.brand']);
    assert.deepEqual((await breakOff('/roles'))[1], ['role Reachout']);
    assert.equal(
      (await get()).directus?.endpoint,
      endpoint,
      'nothing is connected before all of it is there',
    );
    refuses = () => false;
    const { status, body } = await setUp<Steps>();
    assert.deepEqual([status, say(body.created)], [200, ['role Reachout']], JSON.stringify(body));
    assert.equal(new Set(posts).size, posts.length, 'nothing is made twice');
    assert.equal((await connect({ endpoint, access_token: token })).status, 200);
  });

  test('disconnecting deletes the token', async () => {
    const body = await owner.ok<ContentBackend>('DELETE', path);
    assert.deepEqual([body.kind, body.directus?.state], ['built_in', 'disconnected']);
    const row = await stored();
    assert.deepEqual([row?.endpoint, row?.access_token], [endpoint, null]);
    assert.equal((await connect<Problem>({ endpoint })).status, 422, 'it needs a token again');
  });
});
