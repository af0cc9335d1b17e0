import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { listConfigRisks } from './config-risks.ts';
import { allowedOrigins, readConfig } from './config.ts';
import { InvalidConfig } from './invalid-config.ts';
import { deriveKey } from './secret-key.ts';

const SECRET_KEY = 'q3Zt8vN1xR5yB7mK2pL9sD4fG6hJ0wCe';

suite('settings', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reachout-config-'));
  });
  after(() => rm(folder, { recursive: true }));

  const read = (environment: Record<string, string | undefined>) =>
    readConfig({ SECRET_KEY, DATA_DIR: folder, ...environment });

  test('all settings are optional', () => {
    const { dataDir, secretKey, ...rest } = readConfig({ DATA_DIR: folder });
    assert.equal(dataDir, folder);
    assert.ok(secretKey.length >= 32);
    assert.deepEqual(rest, {
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      signUp: 'open',
      signUpsPerForm: 1_000,
      signUpsPerNetwork: 20,
      databaseUrl: undefined,
      databaseLogins: undefined,
      previousSecretKeys: [],
      trustedProxies: [],
      roles: ['api', 'tracking', 'worker', 'inbound'],
      smtpUrl: undefined,
      s3Url: undefined,
      operators: [],
      mailFrom: 'reachout@localhost',
      senderDomains: [],
      bounceDomain: 'localhost',
      inbound: undefined,
      spfInclude: undefined,
      dmarcReports: undefined,
      privateHosts: [],
      dnsServers: [],
      dailyRecipientLimit: 1_000,
      smtpConnections: 16,
      healthPort: undefined,
      inFlightLimit: 64,
      sendRates: {},
      requestsPerMinute: { person: 1_800, organization: 3_600, network: 7_200 },
      logLevel: 'info',
      oauth: {},
    });
  });

  test('empty settings count as missing', () => {
    const names =
      'PORT HOST PUBLIC_URL DATABASE_URL ROLES SMTP_URL HEALTH_PORT SEND_IN_FLIGHT_LIMIT SEND_RATES LOG_LEVEL';
    assert.deepEqual(read(Object.fromEntries(names.split(' ').map((name) => [name, '']))), read({}));
  });

  const accepted: [
    name: string,
    value: string,
    key: keyof ReturnType<typeof readConfig>,
    meaning: unknown,
  ][] = [
    ['PORT', '8080', 'port', 8080],
    ['PORT', '0', 'port', 0],
    ['PORT', '8080', 'publicUrl', 'http://localhost:8080'],
    ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
    ['PUBLIC_URL', 'https://reachout.example', 'publicUrl', 'https://reachout.example'],
    ['PUBLIC_URL', 'https://reachout.example/', 'publicUrl', 'https://reachout.example'],
    ['PUBLIC_URL', 'http://127.0.0.2:3000', 'publicUrl', 'http://127.0.0.2:3000'],
    ['PUBLIC_URL', 'http://agency.localhost', 'publicUrl', 'http://agency.localhost'],
    ['PUBLIC_URL', 'https://bücher.example', 'publicUrl', 'https://xn--bcher-kva.example'],
    ['PUBLIC_URL', 'https://bücher.example', 'mailFrom', 'reachout@xn--bcher-kva.example'],
    ['PUBLIC_URL', 'https://bücher.example', 'bounceDomain', 'xn--bcher-kva.example'],
    ['PUBLIC_URL', 'HTTP://LOCALHOST:3950', 'publicUrl', 'http://localhost:3950'],
    ['PUBLIC_URL', 'HTTPS://Reachout.Example:443/', 'publicUrl', 'https://reachout.example'],
    ['PUBLIC_URL', ' https://reachout.example. ', 'publicUrl', 'https://reachout.example'],
    ['PUBLIC_URL', 'https://reachout.example.', 'bounceDomain', 'reachout.example'],
    ['PUBLIC_URL', 'http://0x7f.1:3000', 'publicUrl', 'http://127.0.0.1:3000'],
    ['PUBLIC_URL', 'http://127.0.0.1:3000', 'bounceDomain', 'localhost'],
    ['PORT', '80', 'publicUrl', 'http://localhost'],
    ['PORT', ' 8080 ', 'port', 8080],
    ['PORT', ' ', 'port', 3000],
    ['HOST', '[::1]', 'host', '::1'],
    ['HOST', '::', 'host', '::'],
    ['HOST', 'LOCALHOST', 'host', 'localhost'],
    ['SMTP_URL', 'smtp://mail.example', 'signUp', 'invited'],
    ['SMTP_URL', 'SMTP://u:p%40@Bücher.Example./', 'smtpUrl', 'smtp://u:p%40@xn--bcher-kva.example'],
    ['SMTP_URL', 'smtp://127.1:2525', 'smtpUrl', 'smtp://127.0.0.1:2525'],
    ['MAIL_FROM', 'Hello@Bücher.example.', 'mailFrom', 'Hello@xn--bcher-kva.example'],
    ['MAIL_FROM', 'hello@localhost', 'mailFrom', 'hello@localhost'],
    [
      'OPERATORS',
      'Ops@Bücher.Example, ops@xn--bcher-kva.example.',
      'operators',
      ['ops@xn--bcher-kva.example'],
    ],
    ['SENDER_DOMAINS', '@a.example, B.EXAMPLE., a.example', 'senderDomains', ['a.example', 'b.example']],
    ['BOUNCE_DOMAIN', 'Bounce.Bücher.example.', 'bounceDomain', 'bounce.xn--bcher-kva.example'],
    [
      'PRIVATE_HOSTS',
      'CMS.Internal., bücher.internal:8055, 10.1, [0:0::1]:80',
      'privateHosts',
      ['cms.internal', 'xn--bcher-kva.internal:8055', '10.0.0.1', '[::1]:80'],
    ],
    [
      'TRUSTED_PROXIES',
      '10.0.0.1, fd00::/8,::ffff:10.0.0.1',
      'trustedProxies',
      ['10.0.0.1', 'fd00::/8', '::ffff:10.0.0.1'],
    ],
    ['SIGN_UP', 'closed', 'signUp', 'closed'],
    ['DATABASE_URL', 'postgres://u:p@db/reachout', 'databaseUrl', 'postgres://u:p@db/reachout'],
    [
      'DATABASE_URL',
      'postgresql://u@db:5433/x?sslmode=require',
      'databaseUrl',
      'postgresql://u@db:5433/x?sslmode=require',
    ],
    ['ROLES', 'api', 'roles', ['api']],
    ['ROLES', 'worker, tracking', 'roles', ['worker', 'tracking']],
    ['SMTP_URL', 'smtp://u:p@mail.example:587', 'smtpUrl', 'smtp://u:p@mail.example:587'],
    ['SMTP_URL', 'smtps://mail.example', 'smtpUrl', 'smtps://mail.example'],
    ['S3_URL', 's3://id:key@s3.example/files', 's3Url', 's3://id:key@s3.example/files'],
    [
      'S3_URL',
      's3+http://id:a%2Fb@127.0.0.1:9000/files?region=eu-central-1',
      's3Url',
      's3+http://id:a%2Fb@127.0.0.1:9000/files?region=eu-central-1',
    ],
    ['MAIL_FROM', 'hello@reachout.example', 'mailFrom', 'hello@reachout.example'],
    ['PUBLIC_URL', 'https://app.reachout.example:8443', 'mailFrom', 'reachout@app.reachout.example'],
    ['PUBLIC_URL', 'http://[::1]:3000', 'mailFrom', 'reachout@localhost'],
    ['SENDER_DOMAINS', 'a.example, News.B.example,', 'senderDomains', ['a.example', 'news.b.example']],
    ['SENDER_DOMAINS', 'bücher.example', 'senderDomains', ['xn--bcher-kva.example']],
    ['PUBLIC_URL', 'https://app.reachout.example:8443', 'bounceDomain', 'app.reachout.example'],
    ['BOUNCE_DOMAIN', 'bounce.reachout.example', 'bounceDomain', 'bounce.reachout.example'],
    ['SPF_INCLUDE', '_SPF.reachout.example', 'spfInclude', '_spf.reachout.example'],
    ['DMARC_REPORTS', 'dmarc@reachout.example', 'dmarcReports', 'dmarc@reachout.example'],
    [
      'PRIVATE_HOSTS',
      'cms.internal, 10.0.0.5:8055,[::1]:80',
      'privateHosts',
      ['cms.internal', '10.0.0.5:8055', '[::1]:80'],
    ],
    [
      'DNS_SERVERS',
      '9.9.9.9, 10.0.0.1:5353, 2620:fe::fe, [2620:fe::9]:53, [::1]',
      'dnsServers',
      ['9.9.9.9', '10.0.0.1:5353', '2620:fe::fe', '[2620:fe::9]:53', '::1'],
    ],
    ['DAILY_RECIPIENT_LIMIT', '0', 'dailyRecipientLimit', 0],
    ['SMTP_CONNECTIONS', '1', 'smtpConnections', 1],
    ['SMTP_CONNECTIONS', '200', 'smtpConnections', 200],
    ['SIGN_UPS_PER_FORM', '0', 'signUpsPerForm', 0],
    ['SIGN_UPS_PER_NETWORK', '200', 'signUpsPerNetwork', 200],
    ['HEALTH_PORT', '3001', 'healthPort', 3_001],
    ['SEND_IN_FLIGHT_LIMIT', '8', 'inFlightLimit', 8],
    ['SEND_IN_FLIGHT_LIMIT', '1000', 'inFlightLimit', 1_000],
    ['SEND_RATES', 'all=6000, google=1200', 'sendRates', { all: 6_000, google: 1_200 }],
    ['RATE_LIMIT_PERSON', '300', 'requestsPerMinute', { person: 300, organization: 3_600, network: 7_200 }],
    ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
  ];
  for (const [name, value, key, meaning] of accepted) {
    test(`${name}=${value} is accepted`, () => assert.deepEqual(read({ [name]: value })[key], meaning));
  }

  const client = (name: string) => ({
    [`OAUTH_${name}_CLIENT_ID`]: 'reachout',
    [`OAUTH_${name}_CLIENT_SECRET`]: 'hunter2',
  });
  const reachout = { clientId: 'reachout', clientSecret: 'hunter2' };

  test('settings of a provider belong together', () => {
    const { oauth } = read({
      ...client('OIDC'),
      OAUTH_OIDC_ISSUER: 'https://login.example/realm',
      ...client('GOOGLE'),
      ...client('MICROSOFT'),
      ...client('GITHUB'),
    });
    assert.deepEqual(oauth, {
      oidc: { ...reachout, issuer: 'https://login.example/realm', name: 'OpenID Connect' },
      google: reachout,
      microsoft: { ...reachout, tenant: 'common' },
      github: reachout,
    });
    const tenant = read({ ...client('MICROSOFT'), OAUTH_MICROSOFT_TENANT: 'agency.example' }).oauth.microsoft;
    assert.equal(tenant?.tenant, 'agency.example');
  });

  const halves: [given: Record<string, string>, missing: string][] = [
    [{ OAUTH_OIDC_ISSUER: 'https://login.example' }, 'OAUTH_OIDC_CLIENT_ID'],
    [client('OIDC'), 'OAUTH_OIDC_ISSUER'],
    [{ OAUTH_GOOGLE_CLIENT_ID: 'x' }, 'OAUTH_GOOGLE_CLIENT_SECRET'],
    [{ OAUTH_MICROSOFT_CLIENT_SECRET: 'hunter2' }, 'OAUTH_MICROSOFT_CLIENT_ID'],
    [{ OAUTH_GITHUB_CLIENT_ID: 'x' }, 'OAUTH_GITHUB_CLIENT_SECRET'],
  ];
  for (const [given, missing] of halves) {
    test(`${Object.keys(given).join(' and ')} without ${missing} is rejected`, () =>
      assert.throws(
        () => read(given),
        (error: unknown) =>
          error instanceof InvalidConfig &&
          error.message.includes(`\n  ${missing}: must be set too`) &&
          !error.message.includes('hunter2'),
      ));
  }

  const refused: Record<string, string[]> = {
    PORT: ['x', '-1', '65536', '80.5', '1e3', '0x50'],
    HOST: ['http://0.0.0.0', 'localhost:3000'],
    PUBLIC_URL: [
      'https://my_host.example',
      'https://a$b.example',
      'https://-.example',
      `https://${'a.'.repeat(100)}example`,
      'https://reachout.example:0',
      'https://reachout.example/#top',
      'reachout.example',
      'ftp://reachout.example',
      'http://reachout.example',
      'http://10.0.0.1:3000',
      'http://localhost.example',
      'javascript:alert(1)',
      'https://reachout.example/app',
      'https://reachout.example/?x=1',
      'https://user:hunter2@reachout.example',
    ],
    PREVIOUS_SECRET_KEYS: [`${SECRET_KEY},hunter2`],
    DATABASE_URL: [
      'postgres://u:hunter2%ff@db/reachout',
      'postgres://u@db/reachout?user=owner&password=hunter2',
      'postgres://u@db/reachout?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
      'mysql://u:hunter2@db/reachout',
      'reachout',
    ],
    TRUSTED_PROXIES: ['0.0.0.0/0', '10.0.0.0/33', '10.1', 'anybody'],
    SMTP_URL: [
      'smtp://',
      'smtp://u:hunter2%zz@mail.example',
      'smtp://u%0d%0a:hunter2@mail.example',
      'smtp://u@mail.example',
      'smtp://:hunter2@mail.example',
      'smtp://mail.example:0',
      'smtp://mail.example/inbox',
      'smtp://mail.example?pool=true',
      'mail.example:587',
      'http://mail.example',
    ],
    S3_URL: [
      's3://id:hunter2@exa%20mple/files',
      's3://id:hunter2@s3.example/files?region=eu central',
      'https://id:hunter2@s3.example/files',
      's3://s3.example/files',
      's3://id:hunter2@s3.example',
      's3://id:hunter2@s3.example/a/b',
      's3://id:hunter2@s3.example/files?zone=1',
      's3://id:hunter2%zz@s3.example/files',
    ],
    MAIL_FROM: [
      'a..b@reachout.example',
      'hello@mailhost',
      'Reachout <hello@reachout.example>',
      'hello@reachout.example\r\nBcc: all@example.org',
      'hello',
    ],
    OPERATORS: ['Ops <ops@reachout.example>', 'ops'],
    SENDER_DOMAINS: ['a.example1', '*.a.example', 'news@a.example', 'a.example b.example', 'localhost'],
    SPF_INCLUDE: ['v=spf1 -all', 'localhost', 'https://spf.example'],
    DMARC_REPORTS: ['mailto:dmarc@reachout.example', 'dmarc', 'dmarc@localhost'],
    BOUNCE_DOMAIN: ['my_host.example', 'localhost', 'https://bounce.example'],
    PRIVATE_HOSTS: [
      'cms.internal:0',
      'u:hunter2@cms.internal',
      '*.internal',
      'http://cms.internal',
      'cms.internal/items',
      '10.0.0.0/8',
    ],
    DNS_SERVERS: ['dns.example', '9.9.9.9:0', '9.9.9.9:65536', '[9.9.9.9]:53', '2620:fe::fe:x', '9.9.9.0/24'],
    SEND_RATES: ['google=12=00', 'google=10,google=20', 'google', 'google=0', 'everybody=10'],
    OAUTH_OIDC_ISSUER: [
      'https://login.example/?realm=1',
      'https://u:hunter2@login.example',
      'http://login.example',
      'login.example',
    ],
    SIGN_UP: ['everybody'],
    ALLOW_INSECURE_HTTP: ['yes'],
    DATABASE_APP_URL: ['http://db'],
    ROLES: ['api,web', ','],
    DAILY_RECIPIENT_LIMIT: ['-1'],
    SMTP_CONNECTIONS: ['0', '201'],
    SEND_IN_FLIGHT_LIMIT: ['7', '1001'],
    LOG_LEVEL: ['loud'],
    OAUTH_MICROSOFT_TENANT: ['a/b'],
  };
  for (const [name, values] of Object.entries(refused))
    for (const value of values)
      test(`${name}=${value} is rejected by name`, () =>
        assert.throws(
          () => read({ [name]: value }),
          (error: unknown) => {
            assert.ok(error instanceof InvalidConfig);
            const [first, ...problems] = error.message.split('\n');
            assert.equal(first, 'These settings cannot be used:');
            assert.ok(problems.length > 0);
            for (const problem of problems) assert.match(problem, new RegExp(`^  ${name}[.:]`));
            assert.ok(!error.message.includes('hunter2'));
            return true;
          },
        ));

  test('all wrong settings are named at once', () => {
    assert.throws(
      () => read({ PORT: 'x', ROLES: 'web', LOG_LEVEL: 'loud' }),
      /PORT: [^]*ROLES[^]*LOG_LEVEL: /,
    );
  });

  test('an issuer is compared in normalized form', () => {
    const { oauth } = read({
      ...client('OIDC'),
      OAUTH_OIDC_ISSUER: 'HTTPS://Login.Bücher.example:443/realm/',
    });
    assert.equal(oauth.oidc?.issuer, 'https://login.xn--bcher-kva.example/realm');
  });

  test('an IP address as host requires email addresses', () => {
    const given = { PUBLIC_URL: 'https://192.0.2.1', SMTP_URL: 'smtp://mail.example' };
    assert.throws(
      () => read(given),
      /\n {2}MAIL_FROM: must be set too[^]*\n {2}BOUNCE_DOMAIN: must be set too/,
    );
    const mail = { MAIL_FROM: 'a@reachout.example', BOUNCE_DOMAIN: 'b.reachout.example' };
    assert.equal(read({ ...given, ...mail }).bounceDomain, mail.BOUNCE_DOMAIN);
  });

  test('HEALTH_PORT differs from PORT where both are served', () => {
    const given = { PORT: '3000', HEALTH_PORT: '3000' };
    assert.throws(() => read(given), /\n {2}HEALTH_PORT: must not be the same as PORT/);
    assert.equal(read({ ...given, ROLES: 'worker' }).healthPort, 3_000);
  });

  test('SMTP_IN_PORT differs from other ports of its process', () => {
    const given = { PORT: '3000', SMTP_IN_PORT: '3000' };
    assert.throws(() => read(given), /\n {2}SMTP_IN_PORT: must not be the same as PORT/);
    assert.throws(
      () => read({ ...given, ROLES: 'inbound', HEALTH_PORT: '3000' }),
      /\n {2}SMTP_IN_PORT: must not be the same as HEALTH_PORT/,
    );
    assert.equal(read({ ...given, ROLES: 'inbound' }).inbound?.port, 3_000);
    assert.equal(read({ ...given, ROLES: 'worker', HEALTH_PORT: '3000' }).inbound?.port, 3_000);
  });

  test('a process that only takes returned mail needs its port', () => {
    assert.throws(() => read({ ROLES: 'inbound' }), /\n {2}SMTP_IN_PORT: must be set/);
    const files = { SMTP_IN_CERT: 'cert.pem', SMTP_IN_KEY: 'key.pem' };
    assert.throws(() => read({ SMTP_IN_CERT: 'cert.pem' }), /\n {2}SMTP_IN_KEY: must be set too/);
    assert.deepEqual(read({ ...files, ROLES: 'inbound', SMTP_IN_PORT: '25', SMTP_IN_HOST: '::' }).inbound, {
      host: '::',
      port: 25,
      certificate: { certFile: 'cert.pem', keyFile: 'key.pem' },
    });
  });

  test('http:// for a public name must be allowed (OPS-3)', () => {
    const publicUrl = 'http://reachout.example';
    assert.throws(
      () => read({ PUBLIC_URL: publicUrl }),
      /PUBLIC_URL: must begin with https:.*ALLOW_INSECURE_HTTP=true/,
    );
    assert.equal(read({ PUBLIC_URL: publicUrl, ALLOW_INSECURE_HTTP: 'true' }).publicUrl, publicUrl);
  });

  test('a reachable database requires a separately stored key (OPS-3)', () => {
    const given = { DATA_DIR: folder, DATABASE_URL: 'postgres://u:hunter2@db/reachout' };
    assert.throws(
      () => readConfig(given),
      (error: unknown) =>
        error instanceof InvalidConfig &&
        /\n {2}SECRET_KEY: must be set too, since DATABASE_URL is/.test(error.message) &&
        !error.message.includes('hunter2'),
    );
    assert.equal(readConfig({ ...given, SECRET_KEY }).secretKey, SECRET_KEY);
  });

  const databases: [url: string, isRisky: boolean][] = [
    ['postgres://u:p@db.example/reachout', true],
    ['postgres://u:p@10.0.0.7:5433/reachout?sslmode=disable', true],
    ['postgres://u:p@db.example/reachout?sslmode=prefer', true],
    ['postgres://u:p@localhost/reachout?host=db.example', true],
    ['postgres://u:p@db.example/reachout?sslmode=require', false],
    ['postgres://u:p@db.example/reachout?sslmode=verify-full', false],
    ['postgres://u:p@localhost/reachout', false],
    ['postgres://u:p@127.0.0.1:5433/reachout', false],
    ['postgres://u:p@[::1]/reachout', false],
    ['postgres://u:p@%2Fvar%2Frun%2Fpostgresql/reachout', false],
  ];
  for (const [url, isRisky] of databases) {
    test(`${url} ${isRisky ? 'warns' : 'does not warn'} of clear text (OPS-3)`, () => {
      const risks = listConfigRisks(read({ DATABASE_URL: url }), 1000);
      assert.deepEqual(
        risks.map((risk) => risk.startsWith('DATABASE_URL names another machine without TLS')),
        isRisky ? [true] : [],
      );
    });
  }

  test('running as root logs one warning (OPS-3)', () => {
    assert.deepEqual(listConfigRisks(read({}), 0).length, 1);
    assert.deepEqual(listConfigRisks(read({}), undefined), []);
  });

  suite('SECRET_KEY (SEC-3)', () => {
    for (const value of [
      'short',
      'x'.repeat(64),
      'abababababababababababababababababab',
      'please-change-me-please-change-me-1234',
      'CHANGEME-q3Zt8vN1xR5yB7mK2pL9sD4fG6hJ',
      'this-is-a-placeholder-for-the-key-123',
      'your-secret-key-goes-here-1234567890',
      'example-q3Zt8vN1xR5yB7mK2pL9sD4fG6hJ0',
    ]) {
      test(`the key “${value}” is rejected`, () =>
        assert.throws(() => read({ SECRET_KEY: value }), /SECRET_KEY: /));
    }

    test('the first start creates a private key file', async () => {
      const dataDir = join(folder, 'new', 'data');
      const first = readConfig({ DATA_DIR: dataDir });
      const file = join(dataDir, 'secret-key');
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
      assert.equal(await readFile(file, 'utf8'), first.secretKey);
      assert.ok(Buffer.from(first.secretKey, 'base64url').length >= 32);
      assert.equal(readConfig({ DATA_DIR: dataDir }).secretKey, first.secretKey);
      assert.notEqual(readConfig({ DATA_DIR: join(folder, 'other') }).secretKey, first.secretKey);
      assert.equal(readConfig({ DATA_DIR: dataDir, SECRET_KEY }).secretKey, SECRET_KEY);
      assert.equal(await readFile(file, 'utf8'), first.secretKey);
    });

    test('a truncated key file is rejected by name', async () => {
      const dataDir = join(folder, 'cut');
      readConfig({ DATA_DIR: dataDir });
      await writeFile(join(dataDir, 'secret-key'), 'half');
      assert.throws(() => readConfig({ DATA_DIR: dataDir }), {
        name: 'Error',
        message: new RegExp(join(dataDir, 'secret-key')),
      });
    });

    test('an unusable directory is reported as DATA_DIR', () =>
      assert.throws(() => readConfig({ DATA_DIR: '/dev/null/data' }), /\n {2}DATA_DIR: must be a folder/));

    test('each purpose has its own key', () => {
      assert.equal(deriveKey(SECRET_KEY, 'sessions').length, 32);
      assert.deepEqual(deriveKey(SECRET_KEY, 'sessions'), deriveKey(SECRET_KEY, 'sessions'));
      assert.notDeepEqual(deriveKey(SECRET_KEY, 'sessions'), deriveKey(SECRET_KEY, 'database'));
      assert.notDeepEqual(deriveKey(SECRET_KEY, 'sessions'), deriveKey(`${SECRET_KEY}x`, 'sessions'));
    });
  });

  test('own origins are exact, and include both loopback names', () => {
    assert.deepEqual(allowedOrigins('https://reachout.example'), ['https://reachout.example']);
    assert.deepEqual(allowedOrigins('https://reachout.example:8443'), ['https://reachout.example:8443']);
    for (const name of ['localhost', '127.0.0.1'])
      assert.deepEqual(allowedOrigins(`http://${name}:3000`), [
        'http://localhost:3000',
        'http://127.0.0.1:3000',
      ]);
  });
});
