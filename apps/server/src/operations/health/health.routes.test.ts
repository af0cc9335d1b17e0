import assert from 'node:assert/strict';
import { before, mock, suite, test } from 'node:test';
import { Client } from 'pg';
import { sql } from 'kysely';
import { createTestApp, useTestApp, type Person } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { waitUntil } from '../../testing/wait-until.ts';

suite('health (HLT-1)', () => {
  const app = useTestApp();
  let person: Person;
  let laterMs = 0;
  /** A fixed time, at which the cached result stays valid, however slow the machine is. */
  let stoppedAt: number | undefined;

  before(async () => {
    person = await app.signIn();
    const now = performance.now.bind(performance);
    mock.method(performance, 'now', () => stoppedAt ?? now() + laterMs);
  });

  /** @returns the number of statements that this process sends during `work` */
  async function countStatements(work: () => Promise<void>): Promise<number> {
    const spy = mock.method(Client.prototype, 'query');
    await work();
    spy.mock.restore();
    return spy.mock.callCount();
  }

  for (const who of ['anonymous callers', 'users']) {
    const asking = () => (who === 'users' ? { as: person } : {});

    test(`1,000 readiness requests of ${who} share one check`, async () => {
      stoppedAt = performance.now();
      const statements = await countStatements(async () => {
        for (let asked = 0; asked < 1_000; asked += 100) {
          const responses = await Promise.all(
            Array.from({ length: 100 }, () => app.request('GET', '/api/health/ready', asking())),
          );
          for (const { status, body } of responses)
            assert.deepEqual({ status, body }, { status: 200, body: { status: 'ok' } });
        }
      });
      stoppedAt = undefined;
      assert.ok(statements <= 30, `${statements} statements`);
    });

    test(`liveness of ${who} needs no statement`, async () => {
      const statements = await countStatements(async () => {
        const { status, body } = await app.request('GET', '/api/health/live', asking());
        assert.deepEqual({ status, body }, { status: 200, body: { status: 'ok' } });
      });
      assert.equal(statements, 0);
    });
  }

  /** Applies to all new connections. */
  const setForDatabase = async (setting: string, value: string) => {
    await sql`do $$ begin execute format('alter database %I ' || ${sql.lit(`${value === '' ? 'reset' : 'set'} ${setting} ${value}`)}, current_database()); end $$`.execute(
      app.owner,
    );
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name in ('reachout general', 'reachout tracking')
    `.execute(app.owner);
  };

  /** Requests after the cached result has expired. */
  const askLater = () => {
    laterMs += 10_000;
    return app.request('GET', '/api/health/ready');
  };

  for (const [what, setting, value] of [
    ['takes no writes', 'default_transaction_read_only', '= on'],
    ['gets no space on its disk', 'temp_file_limit', '= 0'],
  ] as const)
    test(`a database that ${what} makes the process not ready`, async () => {
      await setForDatabase(setting, value);
      assertProblem(await askLater(), 503, 'not_ready');
      await app.ok('GET', '/api/health/live');
      await setForDatabase(setting, '');
      await waitUntil('it is ready', async () => (await askLater()).status === 200);
    });

  test('readiness needs timely database connections', async (t) => {
    const proxies: TcpProxy[] = [];
    const far = await createTestApp(
      {},
      {
        beside: app,
        connectThrough: async (database) => {
          const proxy = await startTcpProxy(database);
          proxy.delay(300);
          proxies.push(proxy);
          return proxy.port;
        },
        limits: { maxWaitMs: 1_500, connectTimeoutMs: 2_000 },
      },
    );
    t.after(async () => {
      await far.close();
      for (const proxy of proxies) await proxy.cut();
    });
    const ask = async () => {
      laterMs += 10_000;
      const asked = await Promise.all([
        far.request('GET', '/api/health/ready'),
        far.request('GET', '/api/me', { as: person }),
      ]);
      return asked.map(({ status }) => status);
    };
    assert.deepEqual(await ask(), [503, 503]);
    for (const proxy of proxies) proxy.delay(0);
    await waitUntil('it is ready', async () => (await ask()).every((status) => status === 200));
  });

  test('a tracking process reports its health', async () => {
    const tracking = await createTestApp({ roles: ['tracking'] }, { beside: app });
    for (const path of ['live', 'ready']) {
      const { status, body } = await tracking.request('GET', `/api/health/${path}`);
      assert.deepEqual({ status, body }, { status: 200, body: { status: 'ok' } });
    }
    await tracking.close();
  });

  test('the statement counter counts statements', async () => {
    assert.ok((await countStatements(async () => void (await person.request('GET', '/api/me')))) > 0);
  });
});
