import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { buildOrganization } from '../../sample/records.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import type { Problem } from './problem.ts';
import { httpLimits, type HttpLimits } from './http-limits.ts';
import { collectHttpMetrics } from './http-metrics.ts';

/** More than the buffers of a connection take. */
const large = 16_000_000;

interface Peer {
  socket: Socket;
  text: () => string;
  isClosed: () => boolean;
  failure: () => Error | undefined;
  /** The status, once there is one. */
  status: () => Promise<number>;
  problem: () => Problem;
}

const peers: Peer[] = [];
const closePeers = () => {
  for (const { socket } of peers.splice(0)) socket.destroy();
};

const portOf = ({ app }: TestApp) => (app.server.address() as AddressInfo).port;

/** Sends bytes, and reads nothing if `isDeaf`. */
function send(app: TestApp, text: string, { isDeaf = false, localAddress = '127.0.0.1' } = {}): Peer {
  const socket = connect({ port: portOf(app), host: '127.0.0.1', localAddress });
  let received = '';
  let failure: Error | undefined;
  let isClosed = false;
  socket.on('error', (error) => (failure = error)).on('close', () => (isClosed = true));
  if (!isDeaf) socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
  socket.write(text);
  const peer: Peer = {
    socket,
    text: () => received,
    isClosed: () => isClosed,
    failure: () => failure,
    status: async () =>
      await waitUntil('a status', () => Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]) || undefined),
    problem: () => JSON.parse(received.slice(received.indexOf('\r\n\r\n'))) as Problem,
  };
  peers.push(peer);
  return peer;
}

const head = (line: string, headers: Record<string, string | number> = {}) =>
  [
    `${line} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

const json = { 'Content-Type': 'application/json' };
const signIn = 'POST /api/auth/sign-in/email';

async function listen(limits: Partial<HttpLimits>, beside?: TestApp): Promise<TestApp> {
  const http = { ...httpLimits, ...limits };
  const app = await createTestApp({}, { limits: { http }, ...(beside === undefined ? {} : { beside }) });
  const text = 'x'.repeat(large);
  app.app.get('/test/text', (_request, reply) => reply.type('image/png').send(text));
  app.app.get('/test/bytes', (_request, reply) => reply.type('image/png').send(Buffer.from(text)));
  app.app.get('/test/stream', (_request, reply) =>
    reply.type('image/png').send(Readable.from([text], { objectMode: false })),
  );
  app.app.get('/test/events', (_request, reply) => {
    const events = new Readable({ read: () => undefined });
    events.push('data: 1\n\n');
    return reply.type('text/event-stream').send(events);
  });
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

const used = (name: string, kind: string): number =>
  collectHttpMetrics()
    .find((metric) => metric.name === name)!
    .values.find(({ labels }) => labels['kind'] === kind)!.value;
const unfinished = (kind: string) => used('reachout_http_unfinished', kind);

suite('unread responses', () => {
  let app: TestApp;
  let owner: Person;
  let other: Person;
  let file: string;
  let hasty: TestApp;
  before(async () => {
    const { responses } = httpLimits;
    const network = { count: 10, bytes: 10 * large };
    const shares = { ...responses.shares, person: { count: 2, bytes: 2 * large }, network };
    app = await listen({ responses: { ...responses, shares } });
    hasty = await listen({ responses: { ...responses, stallMs: 1_000, shares } }, app);
    const { id } = await buildOrganization(app.owner);
    owner = await app.signInMember(id);
    other = await app.signInMember(id);
    const form = new FormData();
    form.set('file', new Blob([Buffer.alloc(9_900_000)]), 'large.bin');
    const uploaded = await owner.request<{ id: string }>('POST', `/api/content/${id}/files`, form);
    file = `GET /api/content/${id}/assets/${uploaded.body.id}`;
  });
  after(async () => {
    closePeers();
    await hasty.close();
    await app.close();
  });

  test('responses of every kind are cut off in time (RATE-1)', async () => {
    const cutOff = used('reachout_http_cut_off_total', 'responses');
    const reader = send(hasty, head('GET /test/bytes'));
    const deaf = ['/test/text', '/test/bytes', '/test/stream'].map((path) =>
      send(hasty, head(`GET ${path}`), { isDeaf: true, localAddress: '127.0.0.2' }),
    );
    const events = send(hasty, head('GET /test/events'));
    await waitUntil(
      'they are cut off',
      () => used('reachout_http_cut_off_total', 'responses') === cutOff + deaf.length,
    );
    for (const { socket } of deaf) socket.resume();
    await waitUntil('their connections end', () => deaf.every(({ isClosed }) => isClosed()));
    assert.ok(reader.text().length > large, 'who reads gets everything');
    assert.equal(events.isClosed(), false, 'who waits for events loses nothing');
    events.socket.destroy();
  });

  test('networks and users have few unread responses, then 429 (RATE-1)', async () => {
    const ask = (line: string, as?: Person, localAddress = '127.0.0.3') =>
      send(app, head(line, as?.headers), { isDeaf: true, localAddress });
    for (const line of [file, file]) ask(line, owner);
    for (let n = 0; n < 10; n += 1) ask('GET /test/stream');
    await waitUntil('they are under way', () => unfinished('responses') >= 12);
    const answers = await Promise.all(
      (
        [
          [file, owner],
          ['GET /api/me', owner],
          ['GET /test/stream', undefined],
          ['GET /api/me', other],
        ] as const
      ).map(async ([line, as]) => {
        const peer = send(app, head(line, as?.headers), { localAddress: '127.0.0.3' });
        return { status: await peer.status(), peer };
      }),
    );
    assertColumn(answers, 'status', [429, 429, 429, 200]);
    const [{ peer }] = answers as [(typeof answers)[number]];
    await waitUntil('all of it', () => peer.text().endsWith('}'));
    assert.match(peer.problem().detail, /Earlier responses have not been read yet/);
    assert.match(peer.text(), /\r\nretry-after: \d/i);
    closePeers();
    await waitUntil('their room is free', () => unfinished('responses') === 0);
  });
});

suite('endless request bodies', () => {
  let app: TestApp;
  let owner: Person;
  let organizationId: string;
  before(async () => {
    const shares = { ...httpLimits.bodies.shares, network: { count: 3, bytes: 30_000 } };
    const bodies = { ...httpLimits.bodies, receiveMs: 1_500, stallMs: 1_500, lingerMs: 500, shares };
    app = await listen({ bodies });
    ({ id: organizationId } = await buildOrganization(app.owner));
    owner = await app.signInMember(organizationId);
  });
  after(async () => {
    closePeers();
    await app.close();
  });

  test('headers can reject a body before it is read (INP-1)', async () => {
    const declared = { ...json, 'Content-Length': 900 };
    const upload = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 900 };
    const foreign = { ...owner.headers, origin: 'https://elsewhere.example' };
    const content = `/content/${organizationId}`;
    const table: [line: string, headers: Record<string, string | number>, status: number, code: RegExp][] = [
      ['POST /api/clients', declared, 401, /not_signed_in/],
      ['POST /api/clients', { ...declared, authorization: 'Bearer reachout_x' }, 401, /not_signed_in/],
      ['POST /api/clients', { ...declared, ...foreign }, 403, /foreign_origin/],
      [
        'POST /api/clients',
        { ...declared, ...owner.headers, 'Content-Length': 1_050_001 },
        413,
        /body_too_large/,
      ],
      [signIn, { ...declared, 'Content-Length': 16_385 }, 413, /body_too_large/],
      [signIn, { ...declared, 'Content-Type': 'text/plain' }, 415, /unsupported_media_type/],
      [`POST /api/content/${organizationId}/files`, upload, 401, /not_signed_in/],
      [`POST /api/content/${organizationId}/imports`, upload, 401, /not_signed_in/],
      [
        'POST /api/storage/avatars/me',
        { 'Content-Type': 'image/png', 'Content-Length': 900 },
        401,
        /not_signed_in/,
      ],
      [`POST ${content}/items/contacts`, declared, 403, /FORBIDDEN/],
      [`POST ${content}/files`, upload, 403, /FORBIDDEN/],
      [`POST ${content}/nothing`, declared, 404, /ROUTE_NOT_FOUND/],
      [`POST ${content}/shares/auth`, { ...declared, 'Content-Length': 16_385 }, 400, /too large/],
    ];
    const answers = table.map(([line, headers]) =>
      send(app, head(line, { ...headers, Expect: '100-continue' })),
    );
    for (const [index, [line, , status, code]] of table.entries()) {
      const answer = answers[index]!;
      assert.equal(await answer.status(), status, `${line} ${answer.text()}`);
      assert.match(answer.text(), code);
      assert.match(answer.text(), /\r\nconnection: close\r\n/i, line);
    }
    await waitUntil('they are closed', () => answers.every(({ isClosed }) => isClosed()));
  });

  test('rejected bodies get a response instead of a reset (INP-1)', async () => {
    const peer = send(app, head('POST /api/clients', { ...json, 'Content-Length': 1_000_000 }));
    for (let n = 0; n < 10; n += 1) peer.socket.write(Buffer.alloc(100_000));
    await waitUntil('it is closed', () => peer.isClosed());
    assert.equal(await peer.status(), 401);
    assert.equal(peer.problem().code, 'not_signed_in');
    assert.equal(peer.failure(), undefined);
  });

  test('slow bodies end after their time limit (INP-1)', async () => {
    const form = {
      ...owner.headers,
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': 900,
    };
    const late = [
      send(app, `${head(signIn, { ...json, 'Content-Length': 10 })}{"a":`),
      send(app, `${head(signIn, { ...json, 'Transfer-Encoding': 'chunked' })}5\r\n{"a":\r\n`),
      send(app, `${head(`POST /api/content/${organizationId}/imports`, form)}--x`),
    ];
    for (const peer of late) assert.equal(await peer.status(), 408, peer.text());
    await waitUntil('they are closed', () => late.every(({ isClosed }) => isClosed()));
    assert.equal(late[0]!.problem().code, 'request_timeout');
    assert.equal(unfinished('bodies'), 0);
  });

  test('slow bodies give way to complete ones (RATE-1)', async () => {
    const open = (more: Record<string, string | number>, body = '') =>
      send(app, head(signIn, { ...json, ...more }) + body);
    const first = open({ 'Content-Length': 10 });
    await waitUntil('it is read', () => unfinished('bodies') === 1);
    for (let n = 0; n < 2; n += 1) open({ 'Content-Length': 10 });
    await waitUntil('all are read', () => unfinished('bodies') === 3);
    const body = '{"email":"ada@people.example","password":"wrong-password"}';
    assert.equal(await open({ 'Content-Length': body.length }, body).status(), 401);
    assert.equal(await first.status(), 408);
    // Bytes count as well: declared ones at once, others as they arrive.
    const longest = open({ 'Content-Length': 16_000 });
    await waitUntil('it is read', () => used('reachout_http_unfinished_bytes', 'bodies') >= 16_000);
    open({ 'Transfer-Encoding': 'chunked' }, `3a98\r\n${'x'.repeat(15_000)}\r\n`);
    assert.equal(await longest.status(), 408);
    closePeers();
    await waitUntil('their room is free', () => unfinished('bodies') === 0);
  });
});

suite('connections', () => {
  test('connections and their requests have limits (RATE-1)', async () => {
    const app = await listen({ connections: { all: 10, address: 4, pipelined: 3 } });
    const open = Array.from({ length: 4 }, () => send(app, ''));
    await Promise.all(open.map(({ socket }) => once(socket, 'connect')));
    const refused = send(app, head('GET /api/health/live'));
    await waitUntil('it is refused', () => refused.isClosed());
    assert.equal(refused.text(), '');
    const elsewhere = send(app, head('GET /api/health/live'), { localAddress: '127.0.0.2' });
    assert.equal(await elsewhere.status(), 200);
    const impatient = send(app, head('GET /test/events').repeat(4), { localAddress: '127.0.0.2' });
    await waitUntil('it is closed', () => impatient.isClosed());
    closePeers();
    await app.close();
  });
});
