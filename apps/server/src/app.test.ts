import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { maxPublicBytes } from './platform/http/request-guards.ts';
import { createTestApp, type Person, type TestApp } from './testing/app.ts';
import { assertInvalid, assertProblem } from './testing/assert-problem.ts';
import { makeKeyOf } from './testing/actors.ts';
import {
  contractOperations,
  signInOperations,
  toRequest,
  type ContractOperation,
} from './testing/contract-calls.ts';
import { sampleInputs } from './testing/sample-inputs.ts';
import { buildTenant, digestTenant, type Tenant } from './testing/tenant.ts';

const bodyLimit = 1_050_000;

suite('HTTP requests', () => {
  let app: TestApp;
  let tenant: Tenant;
  let owner: Person;
  let port: number;
  let webFolder: string;

  before(async () => {
    webFolder = await mkdtemp(join(tmpdir(), 'reachout-web-'));
    await mkdir(join(webFolder, 'assets'));
    for (const file of ['index.html', 'assets/x.js']) await writeFile(join(webFolder, file), '');
    app = await createTestApp({}, { webFolder });
    tenant = await buildTenant(app.owner);
    owner = await app.signInMember(tenant.organizationId, 'owner');
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = app.app.server.address() as AddressInfo);
  });
  after(async () => {
    await app.close();
    await rm(webFolder, { recursive: true });
  });

  const digest = () => digestTenant(app.owner, tenant.organizationId);
  const unsafe: { name: string; method: ContractOperation['method']; path: string; body?: unknown }[] = [
    ...[...contractOperations, ...signInOperations].filter(({ method }) => method !== 'GET'),
    { name: 'upload', method: 'POST', path: '/content/{organization_id}/imports' },
    { name: 'image', method: 'POST', path: '/storage/avatars/me' },
    { name: 'logo', method: 'POST', path: '/storage/logos/organizations/{organization_id}' },
  ];
  const requestOf = (call: (typeof unsafe)[number]) => {
    const known = contractOperations.find(({ name }) => name === call.name);
    if (known !== undefined) return toRequest(known, sampleInputs[call.name]?.(tenant) ?? { name: 'New' });
    return {
      method: call.method,
      path: `/api${call.path.replace('{organization_id}', tenant.organizationId)}`,
    };
  };

  suite('changes from foreign origins (CSRF-1)', () => {
    const foreignOrigins: Record<string, Record<string, string>> = {
      'another site': { origin: 'https://evil.example' },
      'a page without an origin': { origin: 'null' },
      'a sibling subdomain': { origin: 'http://other.localhost:3000' },
      'another port': { origin: 'http://localhost:3001' },
      'https instead of http': { origin: 'https://localhost:3000' },
      'an origin that begins like ours': { origin: 'http://localhost:3000.evil.example' },
      'two origins': { origin: 'http://localhost:3000, https://evil.example' },
      'nothing said': {},
      'same site, another origin': { 'sec-fetch-site': 'same-site' },
      'another site, by the browser’s word': { 'sec-fetch-site': 'cross-site' },
      'typed into the address bar': { 'sec-fetch-site': 'none' },
      'a foreign origin that says same-origin': {
        origin: 'https://evil.example',
        'sec-fetch-site': 'same-origin',
      },
    };

    let digestBefore: Awaited<ReturnType<typeof digest>>;
    before(async () => {
      digestBefore = await digest();
    });

    for (const call of unsafe) {
      test(`${call.name} rejects foreign origins and content types`, async () => {
        const { method, path, ...rest } = requestOf(call);
        const cookie = owner.headers['cookie'] ?? '';
        for (const [what, headers] of Object.entries(foreignOrigins)) {
          const response = await app.request(method, path, { ...rest, headers: { cookie, ...headers } });
          assertProblem(response, 403, 'foreign_origin', what);
          assert.equal(response.headers['set-cookie'], undefined);
        }
        for (const type of [
          'application/x-www-form-urlencoded',
          'text/plain',
          'text/plain; x=application/json',
          'application/jsonp',
          ...(['upload', 'image', 'logo'].includes(call.name) ? [] : ['multipart/form-data; boundary=x']),
          ...(['upload', 'image', 'logo'].includes(call.name) ? ['application/json'] : []),
        ]) {
          const response = await app.request(method, path, {
            body: JSON.stringify('body' in rest ? rest.body : {}),
            as: owner,
            headers: { 'content-type': type },
          });
          assertProblem(response, 415, 'unsupported_media_type', type);
        }
      });
    }

    test('rejected requests change nothing', async () => {
      assert.deepEqual(await digest(), digestBefore);
      await owner.ok('GET', '/api/me');
    });

    test('there are more than 30 unsafe operations', () => assert.ok(unsafe.length > 30));

    test('requests of the same origin are accepted', async () => {
      const cookie = owner.headers['cookie'] ?? '';
      const own: Record<string, string>[] = [
        { 'sec-fetch-site': 'same-origin' },
        { origin: 'http://127.0.0.1:3000' },
      ];
      for (const headers of own) {
        await app.ok('PATCH', `/api/clients/${tenant.clientId}`, {
          body: { name: 'Same' },
          headers: { cookie, ...headers },
        });
      }
    });

    suite('API keys', () => {
      const rename = (headers: Record<string, string>) =>
        app.request('PATCH', `/api/clients/${tenant.clientId}`, { body: { name: 'Keyed' }, headers });
      const cookie = () => owner.headers['cookie'] ?? '';
      const origin = () => owner.headers['origin'] ?? '';
      let key: Record<string, string>;
      let readingKey: Record<string, string>;
      before(async () => {
        const of = [tenant.organizationId, tenant.ownerUserId] as const;
        ({ headers: key } = await makeKeyOf(app, ...of));
        ({ headers: readingKey } = await makeKeyOf(app, ...of, ['clients:read']));
      });

      test('an API key needs no origin', async () => {
        for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }])
          assert.equal((await rename({ ...key, ...headers })).status, 200);
      });

      test('a cookie does not replace an invalid API key', async () => {
        const digestNow = await digest();
        const own = { cookie: cookie(), origin: origin() };
        for (const authorization of [
          'Bearer reachout_unknown',
          'Bearer x',
          'Bearer ',
          'Basic cmVhY2hvdXQ6eA==',
          '',
          `${key['authorization']}x`,
          `Bearer ${cookie()}`,
        ]) {
          assertProblem(await rename({ ...own, authorization }), 401, 'not_signed_in', authorization);
          const me = await app.request('GET', '/api/me', { headers: { ...own, authorization } });
          assertProblem(me, 401, 'not_signed_in', authorization);
        }
        assertProblem(await rename({ ...own, ...readingKey }), 403, 'forbidden');
        const me = await app.request('GET', '/api/me', { headers: { ...own, ...key } });
        assertProblem(me, 401, 'not_signed_in');
        assert.deepEqual(await digest(), digestNow);
      });

      test('an API key does not admit a cookie of a foreign origin', async () => {
        const digestNow = await digest();
        for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }])
          for (const bearer of [key, { authorization: 'Bearer x' }])
            assertProblem(await rename({ cookie: cookie(), ...headers, ...bearer }), 403, 'foreign_origin');
        assert.deepEqual(await digest(), digestNow);
      });
    });

    test('GET and HEAD requests change nothing', async () => {
      const digestNow = await digest();
      // What a check of a domain sees is stored, and does not depend on who asks for it (docs/domains.md).
      const storing = /^domains\.check/;
      for (const call of contractOperations.filter(
        ({ method, name }) => method === 'GET' && !storing.test(name),
      )) {
        const { path } = toRequest(call, sampleInputs[call.name]?.(tenant) ?? {});
        for (const method of ['GET', 'HEAD'] as const) {
          const { statusCode } = await app.app.inject({ method, url: path, headers: owner.headers });
          assert.ok(statusCode < 500, `${method} ${path}: ${statusCode}`);
        }
      }
      assert.deepEqual(await digest(), digestNow);
    });
  });

  test('only the endpoint for websites allows foreign origins (CSRF-2)', async () => {
    const paths = [
      ...contractOperations.map((call) => toRequest(call, sampleInputs[call.name]?.(tenant) ?? {}).path),
      ...signInOperations.map(({ path }) => `/api${path}`),
      '/',
      '/o/x',
      '/assets/x.js',
      '/api/docs',
      '/api/openapi.json',
      '/t/o/x',
      '/t/c/x',
      '/u/x',
      '/p/x',
      '/v/x',
    ];
    for (const path of paths) {
      for (const method of ['OPTIONS', 'GET'] as const) {
        const { headers, statusCode } = await app.app.inject({
          method,
          url: path,
          headers: {
            ...owner.headers,
            origin: 'https://evil.example',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type',
          },
        });
        const cors = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
        assert.deepEqual(cors, [], `${method} ${path}`);
        assert.ok(method === 'GET' || statusCode >= 400, `OPTIONS ${path}: ${statusCode}`);
      }
    }
  });

  suite('request bodies (INP-1, INP-2)', () => {
    const post = (body: string, as: Person | undefined = owner) =>
      app.request('POST', '/api/clients', { body, as });
    const client = (more: string) => `{"organization_id":"${tenant.organizationId}","name":"New"${more}}`;

    test('a body has at most 1,050,000 bytes', async () => {
      const filled = (bytes: number) => {
        const body = client(',"pad":"#"');
        return body.replace('#', 'x'.repeat(bytes - Buffer.byteLength(body) + 1));
      };
      assert.equal(Buffer.byteLength(filled(bodyLimit)), bodyLimit);
      assertInvalid(await post(filled(bodyLimit)), 'pad');
      assertProblem(await post(filled(bodyLimit + 1)), 413, 'body_too_large');
      const signUp = await app.request('POST', '/api/auth/sign-up', { body: filled(bodyLimit + 1) });
      assertProblem(signUp, 413, 'body_too_large');
    });

    for (const [path, limit] of [
      ['/api/clients', bodyLimit],
      ['/api/auth/sign-in/email', maxPublicBytes],
    ] as const) {
      test(`a chunked body at ${path} has the same limit`, async () => {
        const socket = connect(port, '127.0.0.1');
        let response = '';
        socket.on('data', (bytes: Buffer) => (response += bytes.toString('latin1')));
        // The server closes while the body may still be arriving, which resets the connection after the response.
        socket.on('error', () => {});
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket.write(
          [
            `POST ${path} HTTP/1.1\r\nHost: localhost`,
            ...Object.entries(owner.headers).map(([name, value]) => `${name}: ${value}`),
            'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
          ].join('\r\n'),
        );
        // One byte too many, in a body that continues.
        for (const bytes of [limit - 1, 2]) socket.write(`${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`);
        await closed;
        assert.match(response, /^HTTP\/1\.1 413 /);
        assert.match(response, /\r\nconnection: close\r\n/i);
        assert.match(response, /"code":"body_too_large"/);
      });
    }

    test('bodies must be valid JSON', async () => {
      for (const body of [
        '{',
        '[1,',
        '{"name":}',
        'nonsense',
        '\u0000',
        '{"a":1}x',
        "{'a':1}",
        'NaN',
        '\uFEFF{',
      ])
        assertProblem(await post(body), 400, 'bad_request', body);
      for (const body of ['1', 'null', '"text"', '[]', 'true', '[{}]', ''])
        assert.equal((await post(body)).status, 422, body);
    });

    test('dangerous property names are rejected', async () => {
      for (const body of [
        client(',"__proto__":{"polluted":true}'),
        client(',"constructor":{"prototype":{"polluted":true}}'),
        client(',"a":[{"__proto__":{"polluted":true}}]'),
        client(',"\\u005f_proto__":{"polluted":true}'),
      ])
        assertProblem(await post(body), 400, 'bad_request', body);
      assertInvalid(await post(client(',"constructor":1')), 'constructor');
      assertInvalid(await post(client(',"toString":1')), 'toString');
      // The last of two equal names is both checked and stored.
      assertInvalid(await post(client(',"name":""')), 'name');
      for (const query of [
        '__proto__[polluted]=1',
        'constructor[prototype][polluted]=1',
        'page[__proto__]=1',
      ]) {
        const { status } = await owner.request(
          'GET',
          `/api/clients?organization_id=${tenant.organizationId}&${query}`,
        );
        assert.equal(status, 422, query);
      }
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    });

    test('texts that cannot be stored are rejected', async () => {
      for (const name of ['\\u0000', 'a\\u0000b', '\\ud800', 'x\\udc00', '\\u0007'])
        assertInvalid(
          await post(`{"organization_id":"${tenant.organizationId}","name":"${name}"}`),
          'name',
          name,
        );
      const response = await owner.request<{ name: string }>('POST', '/api/clients', {
        organization_id: tenant.organizationId,
        name: ' Zoe\u0308 \u{1F600} <script>\u200f',
      });
      assert.equal(response.body.name, 'Zo\u00eb \u{1F600} <script>\u200f');
    });

    test('ambiguous requests are rejected (INP-5)', async () => {
      const codes: Record<number, string> = { 400: 'bad_request', 431: 'headers_too_large' };
      const framings: [what: string, request: string, status: number][] = [
        [
          'a header of 20 KB',
          `GET /api/health/live HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
          431,
        ],
        ['an address of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
        [
          'a length and chunks',
          'POST /api/clients HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
          400,
        ],
        [
          'two lengths',
          'POST /api/clients HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
          400,
        ],
        [
          'two hosts',
          'GET /api/health/live HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
          400,
        ],
        ['no host', 'GET /api/health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
        ['a space before the colon', 'GET /api/health/live HTTP/1.1\r\nHost : localhost\r\n\r\n', 400],
        ['no HTTP', 'HELO mail.example\r\n\r\n', 400],
        // oRPC would resolve these to another path.
        ...['..', '%2e%2e', '%2E.', '.', '%2e'].map((segment): [string, string, number] => [
          `a segment ${segment}`,
          `GET /api/zz/${segment}/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
          400,
        ]),
      ];
      for (const [what, request, status] of framings) {
        const socket = connect(port, '127.0.0.1');
        let response = '';
        socket.on('data', (bytes: Buffer) => (response += bytes.toString('latin1')));
        socket.on('error', () => undefined);
        socket.write(request);
        await once(socket, 'close');
        assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} `), what);
        assert.match(response, /\r\ncontent-type: application\/problem\+json/i, what);
        assert.match(response, /\r\nx-request-id: [\da-f-]{36}\r\n/i, what);
        assert.match(response, /\r\nx-content-type-options: nosniff\r\n/i, what);
        const problem = JSON.parse(response.slice(response.indexOf('{'))) as { code: string; status: number };
        assert.deepEqual([problem.status, problem.code], [status, codes[status]], what);
        assert.doesNotMatch(response, /stack|node_modules|\.ts:|\.js:/, what);
      }
    });
  });

  test('malformed paths get problem details (ERR-1)', async () => {
    for (const path of ['/api/%zz', '/%', `/api/content/${tenant.organizationId}/items/contacts/%E0%A4%A`]) {
      const response = await owner.request('GET', path);
      assertProblem(response, 400, 'bad_request', path);
      assert.match(String(response.headers['content-type']), /^application\/problem\+json/);
      assert.notEqual(response.headers['x-request-id'], undefined);
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
      assert.doesNotMatch(JSON.stringify(response.body), /FST_|%/);
    }
  });

  test('unknown operations get problem details', async () => {
    const html = { accept: 'text/html,application/xhtml+xml' };
    for (const path of [
      '/api/no-such-call',
      '/api',
      '/api/',
      '/api/clients/x/y/z',
      '/api/auth/no-such',
      '/api?x=1',
    ]) {
      for (const headers of [{}, html]) {
        const response = await app.request('GET', path, { as: owner, headers });
        assertProblem(response, 404, 'not_found', path);
        assert.match(String(response.headers['content-type']), /^application\/problem\+json/);
      }
    }
    assertProblem(await owner.request('PUT', '/api/no-such-call', {}), 404, 'not_found');
  });

  test('unsupported methods get the allowed ones', async () => {
    const methods = 'GET POST PUT PATCH DELETE SEARCH OPTIONS TRACE QUERY PROPFIND'.split(' ');
    const methodsOf = new Map<string, Set<string>>();
    const routes: { method: string; path: string }[] = [
      ...[...contractOperations, ...signInOperations].map(({ method, path }) => ({
        method,
        path: `/api${path}`,
      })),
      ...[
        'POST /api/content/:organization_id/imports',
        'GET /api/content/:organization_id/imports/:id/rejected',
        'GET /api/content/:organization_id/exports/:collection',
        'SEARCH /api/content/:organization_id/items/:collection',
        'POST /api/content/:organization_id/files',
        'GET /api/organizations/:id/audit_log/export',
        'GET /api/sends/:id/deliveries/export',
        'POST /api/storage/:bucket/:owner',
        'GET /api/storage/:bucket/:owner',
        'DELETE /api/storage/:bucket/:owner',
        'GET /api/storage/:bucket',
        'GET /api/storage/signed/:token',
        'GET /api/openapi.json',
        'GET /t/o/:token',
        'GET /t/c/:token',
        'GET /p/:token',
        'POST /p/:token',
        'GET /u/:token',
        'POST /u/:token',
        'GET /v/:token',
        'POST /api/track',
        'OPTIONS /api/track',
      ].map((route) => {
        const [method = '', path = ''] = route.split(' ');
        return { method, path };
      }),
    ];
    for (const { method, path } of routes) {
      const address = path.replaceAll(/\{\w+\}|:\w+/g, '019b0000-0000-7000-8000-000000000000');
      methodsOf.set(address, (methodsOf.get(address) ?? new Set()).add(method));
    }
    for (const [url, taken] of methodsOf) {
      for (const method of methods) {
        if (taken.has(method)) continue;
        const response = await app.app.inject({
          method: method as 'GET',
          url: `${url}?x=1`,
          // Neither the caller nor the body matters.
          headers: method === 'POST' ? { 'content-type': 'text/plain' } : owner.headers,
          ...(method === 'POST' ? { payload: 'x' } : {}),
        });
        const what = `${method} ${url}`;
        assertProblem(
          { status: response.statusCode, body: response.json(), headers: {} },
          405,
          'method_not_allowed',
          what,
        );
        const allowed = String(response.headers['allow']).split(', ');
        assert.deepEqual(
          allowed.filter((name) => name !== 'HEAD'),
          [...taken].sort(),
          what,
        );
        assert.equal(allowed.includes('HEAD') && !taken.has('GET'), false, what);
      }
    }
    assert.ok(methodsOf.size > 100);
    for (const method of ['GET', 'TRACE'] as const) {
      const { statusCode } = await app.app.inject({ method: method as 'GET', url: '/api/%ff' });
      assert.ok([400, 404].includes(statusCode), `${method}: ${statusCode}`);
    }
  });

  test('HEAD responds like GET without a body', async () => {
    for (const url of [
      '/api/me',
      '/api/health/live',
      '/api/openapi.json',
      '/api/clients',
      '/api/no-such-call',
    ]) {
      const [get, head] = await Promise.all(
        (['GET', 'HEAD'] as const).map((method) => app.app.inject({ method, url, headers: owner.headers })),
      );
      assert.equal(head?.statusCode, get?.statusCode, url);
      assert.equal(head?.headers['content-type'], get?.headers['content-type'], url);
      assert.equal(head?.body, '', url);
    }
    const stream = await app.app.inject({
      method: 'HEAD',
      url: '/api/sends/019b0000-0000-7000-8000-000000000000/progress',
      headers: owner.headers,
    });
    assert.equal(stream.statusCode, 405);
    assert.equal(stream.headers['allow'], 'GET');
  });

  test('responses have security headers (HDR-1)', async () => {
    const common = {
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    };
    const policy = [
      "default-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "script-src 'self'",
      "img-src 'self' data: https:",
      "font-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types default email worker',
    ].join(';');
    for (const path of [
      '/',
      '/o/x',
      '/api/me',
      '/api/health/live',
      '/api/no-such-call',
      '/api/openapi.json',
      '/api/auth/get-session',
    ]) {
      const { headers } = await app.request('GET', path, { headers: { accept: 'text/html' } });
      assert.equal(headers['content-security-policy'], policy, path);
      for (const [name, value] of Object.entries(common))
        assert.equal(headers[name], value, `${path} ${name}`);
      assert.equal(headers['x-powered-by'], undefined);
      assert.equal(headers['server'], undefined);
      assert.equal(headers['strict-transport-security'], undefined);
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
    }

    const docs = await app.request<string>('GET', '/api/docs/', { headers: { accept: 'text/html' } });
    assert.equal(docs.status, 200);
    const docsPolicy = String(docs.headers['content-security-policy']);
    assert.match(docsPolicy, /script-src 'self' 'sha256-[\w+/=]+'/);
    // The API reference creates its own markup.
    const withoutTrustedTypes = policy.slice(0, policy.indexOf(';require-trusted-types-for'));
    assert.equal(docsPolicy.replaceAll(/ 'sha256-[\w+/=]+'/g, ''), withoutTrustedTypes);

    for (const path of ['/u/x', '/v/x', '/t/c/x']) {
      const { headers } = await app.request('GET', path);
      const own = String(headers['content-security-policy']);
      assert.match(own, /default-src 'none'/, path);
      assert.doesNotMatch(own, /unsafe-eval|script-src(?! 'none')/, path);
      assert.equal(headers['referrer-policy'], 'no-referrer', path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.equal(headers['set-cookie'], undefined, path);
    }
  });

  test('HTTPS responses require HTTPS', async () => {
    const secure = await createTestApp({ publicUrl: 'https://reachout.example' }, { beside: app });
    try {
      const { headers } = await secure.request('GET', '/api/health/live');
      assert.match(String(headers['strict-transport-security']), /^max-age=\d{7,}/);
    } finally {
      await secure.close();
    }
  });
});
