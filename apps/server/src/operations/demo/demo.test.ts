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
import { hasDemoByDefault } from './demo.ts';

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
      assert.deepEqual(
        [await count('users'), await count('touchpoints'), await count('touchpoint_sends')],
        [1, 2, 0],
      );
    } finally {
      await owner.destroy();
      await sink.close();
      await database.drop();
      await rm(dataDir, { recursive: true });
    }
  });
});
