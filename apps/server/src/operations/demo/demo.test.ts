import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { startServer } from '../../main.ts';
import { readConfig } from '../../platform/config.ts';
import { connect } from '../../platform/database/database.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { testSecretKey } from '../../testing/test-secrets.ts';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { checkDemo } from '../../testing/check-demo.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { demoEmail, hasDemoByDefault } from './demo-account.ts';
import { openDemo } from './demo.ts';

/** Asserts that a browser gets access with the terminal's link, later also from the sign-in page, and not without it. */
async function checkLink(app: TestApp, link: string): Promise<void> {
  const { pathname } = new URL(link);
  const visit = (path: string, cookie?: string) =>
    app.app.inject({ method: 'GET', url: path, headers: cookie === undefined ? {} : { cookie } });
  const offerTo = async (cookie?: string) =>
    (await visit('/api/auth/options', cookie)).json<{ demo: string | null }>().demo;
  const isSignedIn = async (location: unknown) => {
    const { pathname: path, search } = new URL(String(location));
    const { cookies } = await visit(path + search);
    return cookies.some(({ name }) => name === 'reachout_session');
  };
  const wrongKey = `${pathname.slice(0, -1)}${pathname.endsWith('A') ? 'B' : 'A'}`;
  for (const [path, cookie] of [
    [wrongKey, undefined],
    ['/demo/key/x', undefined],
    ['/demo/open', undefined],
    ['/demo/open', `reachout_demo=${'A'.repeat(43)}`],
  ] as const) {
    const { headers } = await visit(path, cookie);
    assert.deepEqual(
      [headers['location'], headers['set-cookie']],
      ['http://localhost:3000/sign-in', undefined],
    );
  }
  assert.equal(await offerTo(), 'needs_link');
  const opened = await visit(pathname);
  const [cookie] = opened.cookies;
  assert.deepEqual([cookie?.name, cookie?.httpOnly, cookie?.sameSite], ['reachout_demo', true, 'Strict']);
  assert.equal(await isSignedIn(opened.headers['location']), true);
  const known = `reachout_demo=${cookie!.value}`;
  assert.equal(await offerTo(known), 'open');
  // Two concurrent requests get a session each.
  const both = await Promise.all([visit('/demo/open', known), visit('/demo/open', known)]);
  for (const { headers } of both) assert.equal(await isSignedIn(headers['location']), true);
  await app.owner.deleteFrom('users').execute();
  assert.deepEqual([await offerTo(), await offerTo(known)], [null, null]);
  assert.equal((await visit('/demo/open', known)).headers['location'], 'http://localhost:3000/sign-in');
}

suite('the demo', () => {
  const home = readConfig({ SECRET_KEY: testSecretKey, LOG_LEVEL: 'silent' });
  const cases: [what: string, settings: Partial<typeof home>, hasDemo: boolean][] = [
    ['at home', {}, true],
    ['on every address of this machine', { host: '0.0.0.0' }, false],
    ['on an address of the network', { host: '192.168.0.7' }, false],
    ['behind a proxy with a public name', { publicUrl: 'https://reachout.example' }, false],
    ['with a mail server', { smtpUrl: 'smtp://127.0.0.1:2525' }, false],
    ['with a database of its own', { databaseUrl: 'postgres://u@localhost/reachout' }, false],
  ];
  for (const [what, settings, hasDemo] of cases) {
    test(`is ${hasDemo ? 'made' : 'not made'} ${what} (OPS-2)`, () =>
      assert.equal(hasDemoByDefault({ ...home, ...settings }), hasDemo));
  }

  for (const language of ['en', 'de'] as const)
    test(`in ${language} has 14 months behind it, whose numbers are the same everywhere, and is opened by its link alone (OPS-5)`, async () => {
      const app = await createTestApp();
      try {
        const link = await openDemo(app.services, language);
        await checkDemo(app, language);
        await checkLink(app, link ?? '');
      } finally {
        await app.close();
      }
    });

  test('is completed once the database, which was away during the start, is back', async () => {
    let proxy: TcpProxy | undefined;
    const app = await createTestApp(
      {},
      { connectThrough: async (database) => (proxy = await startTcpProxy(database)).port },
    );
    try {
      // A start that ended between the account and its organization.
      await app.services.auth.createUser({
        email: demoEmail,
        password: 'q3Zt8vN1xR5yB7mK',
        name: 'Demo',
        language: 'en',
      });
      await proxy!.cut();
      const opened = openDemo(app.services, 'en');
      await proxy!.mend();
      assert.match((await opened) ?? '', /\/demo\/key\//);
      const organizations = await app.owner.selectFrom('organizations').select('id').execute();
      assert.equal(organizations.length, 1);
      assert.match((await openDemo(app.services, 'en')) ?? '', /\/demo\/key\//);
      assert.equal((await app.owner.selectFrom('organizations').select('id').execute()).length, 1);
    } finally {
      await app.close();
      await proxy?.cut();
    }
  });

  test('neither exists nor sends anything once a mail server is set, unless it was asked for (OPS-2)', async () => {
    const [database, sink] = [await createTestDatabase(), await startSmtpSink()];
    const dataDir = await mkdtemp(join(tmpdir(), 'reachout-demo-'));
    const owner = connect(database.ownerUrl, { name: 'test', connections: 1, onError: () => {} });
    const config = {
      ...home,
      dataDir,
      port: 0,
      roles: ['api' as const],
      smtpUrl: sink.url,
      databaseLogins: database,
    };
    const count = async (table: 'users' | 'touchpoints' | 'touchpoint_sends') =>
      (await owner.selectFrom(table).selectAll().execute()).length;
    try {
      const plain = await startServer(config, database.ownerUrl, { isDemoAskedFor: false });
      await plain.stop();
      assert.equal(plain.demoSignInUrl, undefined);
      assert.equal(await count('users'), 0);
      const asked = await startServer(config, database.ownerUrl, { isDemoAskedFor: true });
      await asked.stop();
      assert.match(asked.demoSignInUrl ?? '', /magic-link/);
      assert.equal(await count('users'), 1);
      const sends = await owner.selectFrom('touchpoint_sends').select(['status', 'end_date']).execute();
      assert.ok(sends.length > 50);
      assert.deepEqual([...new Set(sends.map(({ status }) => status))], ['completed']);
      assert.ok(sends.every(({ end_date }) => end_date !== null && Date.parse(end_date) < Date.now()));
      assert.equal(sink.taken.length, 0);
    } finally {
      await owner.destroy();
      await sink.close();
      await database.drop();
      await rm(dataDir, { recursive: true });
    }
  });
});
