import assert from 'node:assert/strict';
import { after, before, mock, suite, test } from 'node:test';
import { Client } from 'pg';
import { sql } from 'kysely';
import { createLog } from '../log.ts';
import { createTestApp, type Person, type TestResponse, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildOrganization } from '../../sample/records.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { waitUntil } from '../../testing/wait-until.ts';

const lockTimeout = '55P03';

/** Texts that would disclose internals (ERR-1). */
const inside = /postgres|pg|kysely|select|relation|ECONN|127\.0\.0\.1|terminat|\.ts|node_modules|stack/i;

interface LogLine {
  time: string;
  msg: string;
  repeated?: number;
  err?: Error & { code?: string };
}

suite('unavailable database', () => {
  let app: TestApp;
  let proxy: TcpProxy;
  let owner: Person;
  let organization_id: string;
  let logged = '';

  // Libraries must not bypass the log.
  const written = mock.method(console, 'error', () => undefined);

  before(async () => {
    const log = createLog('debug', { write: (line) => void (logged += line) });
    app = await createTestApp(
      {},
      {
        log,
        connectThrough: async (target) => {
          proxy = await startTcpProxy(target);
          return proxy.port;
        },
      },
    );
    organization_id = (await buildOrganization(app.owner)).id;
    owner = await app.signInMember(organization_id);
  });
  after(async () => {
    await app.close();
    await proxy.cut();
  });

  const password = 'correct horse battery';
  const calls = (): [string, () => Promise<TestResponse<unknown>>][] => [
    ['a read', () => owner.request('GET', `/api/clients?organization_id=${organization_id}`)],
    ['a change', () => owner.request('POST', '/api/clients', { organization_id, name: 'New' })],
    ['the session', () => owner.request('GET', '/api/auth/get-session')],
    [
      'a sign-in',
      () => app.request('POST', '/api/auth/sign-in/email', { body: { email: owner.email, password } }),
    ],
    [
      'a sign-up',
      () =>
        app.request('POST', '/api/auth/sign-up', {
          body: { email: 'new@people.example', password, name: 'New' },
        }),
    ],
    [
      'a download',
      () =>
        owner.request(
          'GET',
          `/api/content/${organization_id}/imports/01900000-0000-7000-8000-000000000000/rejected`,
        ),
    ],
  ];

  test('every operation gives 503, and recovers without restart', async () => {
    for (const cut of [
      () => proxy.cut(),
      // Connections break while they are idle in the pools, and new ones fail.
      async () => {
        await proxy.cut();
        await proxy.mend();
        for (const [, call] of calls().slice(0, 1)) await call();
        await proxy.cut();
      },
    ]) {
      await cut();
      for (const [what, call] of calls()) {
        const response = await call();
        assertProblem(response, 503, 'unavailable', what);
        assert.doesNotMatch(JSON.stringify(response.body), inside, what);
        assert.notEqual(response.headers['x-request-id'], undefined);
      }
      const away = await app.request('GET', '/api/health/ready');
      assertProblem(away, 503, 'not_ready');
      await app.ok('GET', '/api/health/live');
      await proxy.mend();
      const back = await calls()[0]![1]();
      assert.equal(back.status, 200, JSON.stringify(back.body));
    }
    await waitUntil(
      'the process is ready again',
      async () => (await app.request('GET', '/api/health/ready')).status === 200,
    );
  });

  test('lost connections and lock timeouts give 503', async () => {
    await sql`create function slow_clients() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$`.execute(
      app.owner,
    );
    await sql`create trigger slow before insert on clients for each row execute function slow_clients()`.execute(
      app.owner,
    );
    const change = owner.request('POST', '/api/clients', { organization_id, name: 'Slow' });
    await waitUntil('the statement has begun', async () => {
      const { rows } = await sql<{ ended: boolean }>`
        select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`.execute(app.owner);
      return rows.length > 0;
    });
    assertProblem(await change, 503, 'unavailable');
    await sql`drop trigger slow on clients`.execute(app.owner);

    const holder = new Client({ connectionString: app.ownerUrl });
    await holder.connect();
    // During a session look-up, after the session itself was found.
    await holder.query('begin; lock table users in access exclusive mode');
    const lookup = owner.request('GET', '/api/me');
    await waitUntil('the look-up waits', async () => {
      const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and application_name = 'reachout auth'
      `.execute(app.owner);
      return rows.length > 0;
    });
    await holder.query('rollback');
    assertProblem(await lookup, 503, 'unavailable');

    await holder.query('begin; lock table clients in access exclusive mode');
    const waiting = await owner.request('GET', `/api/clients?organization_id=${organization_id}`);
    await holder.query('rollback');
    await holder.end();
    assertProblem(waiting, 503, 'unavailable');
    assert.doesNotMatch(JSON.stringify(waiting.body), inside);
  });

  test('outages are logged without secrets and personal data (LOG-1)', async () => {
    // An unexpected error is logged, too.
    await sql`alter table clients rename column name to broken`.execute(app.owner);
    const response = await owner.request('GET', `/api/clients?organization_id=${organization_id}`);
    await sql`alter table clients rename column broken to name`.execute(app.owner);
    assertProblem(response, 500, 'internal');
    assert.equal(written.mock.callCount(), 0);
    assert.match(logged, /"msg":"operation failed"/);
    assert.match(logged, /column .*name.* does not exist/);
    const lines = logged
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LogLine);
    // One line a minute for all responses of an outage, however its connections broke; lock timeouts are separate.
    const outages = lines.filter(
      ({ msg, repeated, err }) =>
        msg === 'database away' && repeated === undefined && err?.code !== lockTimeout,
    );
    assert.ok(outages.length > 0);
    for (const [index, { time }] of outages.slice(1).entries())
      assert.ok(Date.parse(time) - Date.parse(outages[index]!.time) >= 59_000, JSON.stringify(outages));
    const cookie = owner.headers['cookie']?.split('=')[1] ?? 'none';
    for (const secret of [
      new URL(app.appUrl).password,
      app.services.config.secretKey,
      cookie,
      decodeURIComponent(cookie),
      password,
      owner.email,
      'new@people.example',
    ])
      assert.ok(!logged.includes(secret), `the log has ${secret}`);
  });
});
