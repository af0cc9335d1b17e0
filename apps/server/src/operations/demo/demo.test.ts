import assert from 'node:assert/strict';
import { after, mock, suite, test } from 'node:test';
import { startServer } from '../../main.ts';
import { readConfig } from '../../platform/config.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { testSecretKey } from '../../testing/test-secrets.ts';
import { useTestApp, type TestApp } from '../../testing/app.ts';
import { checkDemo } from '../../testing/check-demo.ts';
import { deleteRows, listRows } from '../../testing/rows.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { useOpened } from '../../testing/use-made.ts';
import { demoEmail, hasDemoByDefault } from './demo-key.ts';
import type { DkimKey } from '../../outreach/domains/dkim-key.queries.ts';
import { domainSetupOf, knownRecords, missingSettings } from '../../outreach/domains/domain-setup-of.ts';
import { createMailSetup } from '../../router.ts';
import { demoDomains, withDemoDomains } from './demo-domains.ts';
import { plots } from './story/story.ts';
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
  await deleteRows(app.owner, 'users');
  assert.deepEqual([await offerTo(), await offerTo(known)], [null, null]);
  assert.equal((await visit('/demo/open', known)).headers['location'], 'http://localhost:3000/sign-in');
}

suite('demo', () => {
  const home = readConfig({ SECRET_KEY: testSecretKey, LOG_LEVEL: 'silent' });

  test('only a local installation without a mail server has a demo (OPS-2)', () => {
    const cases: [settings: Partial<typeof home>, hasDemo: boolean][] = [
      [{}, true],
      [{ host: '0.0.0.0' }, false],
      [{ host: '192.168.0.7' }, false],
      [{ publicUrl: 'https://reachout.example' }, false],
      [{ smtpUrl: 'smtp://127.0.0.1:2525' }, false],
      [{ databaseUrl: 'postgres://u@localhost/reachout' }, false],
    ];
    for (const [settings, hasDemo] of cases)
      assert.equal(hasDemoByDefault({ ...home, ...settings }), hasDemo, JSON.stringify(settings));
  });

  test("only the demo's domains have names that nobody has", () => {
    const installation = withDemoDomains(home);
    const recordsOf = (domain: string) => {
      const key = { selector: 'r1', public_key: 'MII', is_signing: true } as DkimKey;
      const setup = domainSetupOf(domain, [key, { ...key, is_signing: false }], installation);
      return knownRecords(setup, installation);
    };
    for (const { brand } of demoDomains) {
      const { domain } = plots[brand];
      assert.deepEqual(missingSettings(domain, installation), []);
      assert.match(JSON.stringify(recordsOf(domain)), /bounce\.reachout\.example/);
      for (const other of ['brand.com', `shop.${domain}`, `x${domain}`]) {
        assert.deepEqual(missingSettings(other, installation), missingSettings(other, home));
        assert.deepEqual(missingSettings(other, home).toSorted(), [
          'BOUNCE_DOMAIN',
          'DMARC_REPORTS',
          'PUBLIC_URL',
          'SPF_INCLUDE',
        ]);
        assertColumn(recordsOf(other), 'purpose', ['dkim', 'dkim']);
      }
    }
  });

  suite('at home', () => {
    let proxy: TcpProxy;
    const app = useTestApp(
      {},
      { connectThrough: async (database) => (proxy = await startTcpProxy(database)).port },
    );
    after(() => proxy.cut());

    test('an interrupted demo is completed after an outage', async () => {
      // A start that ended between the account and its organization.
      await app.services.auth.createUser({
        email: demoEmail,
        password: 'q3Zt8vN1xR5yB7mK',
        name: 'Demo',
        language: 'en',
      });
      await proxy.cut();
      const opened = openDemo({ ...app.services, setup: createMailSetup(app.services) }, 'en');
      await proxy.mend();
      assert.match((await opened) ?? '', /\/demo\/key\//);
      const organizations = () => listRows(app.owner, 'organizations', ['id'], {});
      assert.equal((await organizations()).length, 1);
      assert.match(
        (await openDemo({ ...app.services, setup: createMailSetup(app.services) }, 'en')) ?? '',
        /\/demo\/key\//,
      );
      assert.equal((await organizations()).length, 1);
    });

    test('the numbers of the demo are consistent (OPS-5)', () =>
      checkDemo(app, { name: 'Demo agency', hasOpenSends: true }));

    test('only the link from the terminal opens the demo', async () => {
      await checkLink(
        app,
        (await openDemo({ ...app.services, setup: createMailSetup(app.services) }, 'en')) ?? '',
      );
    });
  });

  suite('with a mail server', () => {
    const app = useTestApp({ smtpUrl: 'smtp://127.0.0.1:1' });

    const sink = useOpened(() => startSmtpSink());

    test('a mail server prevents the demo unless requested (OPS-2)', async () => {
      const { dataDir } = app.services.config;
      const config = {
        ...home,
        dataDir,
        port: 0,
        roles: ['api' as const],
        smtpUrl: sink.url,
        databaseLogins: app,
      };
      const count = async (table: 'users' | 'touchpoints' | 'touchpoint_sends') =>
        (await app.owner.selectFrom(table).selectAll().execute()).length;
      const plain = await startServer(config, app.ownerUrl, { isDemoAskedFor: false });
      await plain.stop();
      assert.equal(plain.demoSignInUrl, undefined);
      assert.equal(await count('users'), 0);
      // The language of the demo is that of the machine.
      const format = mock.method(Intl.DateTimeFormat.prototype, 'resolvedOptions', () => ({
        locale: 'de-AT',
      }));
      const asked = await startServer(config, app.ownerUrl, { isDemoAskedFor: true });
      format.mock.restore();
      await asked.stop();
      assert.match(asked.demoSignInUrl ?? '', /magic-link/);
      assert.equal(await count('users'), 1);
      const sends = await listRows(app.owner, 'touchpoint_sends', ['status', 'end_date'], {});
      assert.ok(sends.length > 50);
      assert.deepEqual([...new Set(sends.map(({ status }) => status))], ['completed']);
      assert.ok(sends.every(({ end_date }) => end_date !== null && Date.parse(end_date) < Date.now()));
      assert.equal(sink.taken.length, 0);
    });

    test('the German demo is as consistent as the English one (OPS-5)', () =>
      checkDemo(app, { name: 'Demo-Agentur', hasOpenSends: false }));
  });
});
