import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createTestApp, type TestApp } from '../apps/server/src/testing/app.ts';
import { testCertificate, testKey } from '../apps/server/src/testing/smtp-certificate.ts';
import { testSecretKey } from '../apps/server/src/testing/test-secrets.ts';
import { readConfig } from '../apps/server/src/platform/config.ts';
import { askMailServer } from './ask-mail-server.ts';
import { diagnoseInstallation, diagnoseMachine, type Finding, type Machine } from './diagnose.ts';
import { root } from './run-command.ts';

const levelsOf = (findings: Finding[]) => findings.map(({ level, text }) => `${level} ${text}`).join('\n');

suite('npm run doctor (OPS-4)', () => {
  const closing: (() => Promise<unknown>)[] = [];
  let home: TestApp;
  let homeUrl: string;
  before(async () => {
    home = await createTestApp();
    closing.push(() => home.close());
    const server = createServer((request, response) => home.app.routing(request, response));
    await home.app.ready();
    homeUrl = await listen(server);
    // The server compares its own URL with that of the page.
    home.services.config.publicUrl = homeUrl;
  });
  after(async () => {
    for (const close of closing.toReversed()) await close();
  });

  async function listen(server: ReturnType<typeof createServer>, scheme = 'http'): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    return `${scheme}://localhost:${(server.address() as AddressInfo).port}`;
  }

  test('a secure public installation has no findings', async () => {
    const defaults = getCACertificates('default');
    setDefaultCACertificates([...defaults, testCertificate]);
    closing.push(() => Promise.resolve(setDefaultCACertificates(defaults)));
    const later: { app?: TestApp } = {};
    const server = createTlsServer({ cert: testCertificate, key: testKey }, (request, response) =>
      later.app!.app.routing(request, response),
    );
    const publicUrl = await listen(server, 'https');
    const settings = { publicUrl, signUp: 'invited' as const, smtpUrl: 'smtp://127.0.0.1:1' };
    later.app = await createTestApp(settings, { beside: home });
    closing.push(() => later.app!.close());
    await later.app.app.ready();
    const findings = await diagnoseInstallation(publicUrl, true);
    assert.deepEqual(
      findings.filter(({ level }) => level !== 'ok'),
      [],
      levelsOf(findings),
    );
    assert.match(
      levelsOf(findings),
      /HTTPS, with HSTS[^]*Cookies are Secure[^]*closed to strangers[^]*invited people/,
    );
  });

  test('a reachable home installation has findings', async () => {
    const findings = levelsOf(await diagnoseInstallation(homeUrl, true));
    assert.match(findings, /^fail It is reached over http:/m);
    assert.match(findings, /^warn Everybody can sign up\. Set SIGN_UP=invited/m);
    assert.match(findings, /^ok Responses carry the security headers/m);
  });

  test('headers removed by a proxy are reported', async () => {
    const strangers = createServer((_request, response) => response.writeHead(404).end());
    const findings = levelsOf(await diagnoseInstallation(await listen(strangers), true));
    assert.match(findings, /^fail .* answers 404\. Is it Reachout\?/m);
    assert.match(findings, /^fail Responses lack content-security-policy, x-content-type-options/m);
    const gone = createServer();
    const nobody = await listen(gone);
    await closing.pop()?.();
    assert.match(levelsOf(await diagnoseInstallation(nobody)), /^fail .* does not answer: ECONNREFUSED\.$/);
  });

  const config = readConfig({
    SECRET_KEY: testSecretKey,
    PUBLIC_URL: 'https://reachout.example',
    SMTP_URL: 'smtp://mail.example',
    SENDER_DOMAINS: 'a.example',
    SMTP_IN_PORT: '2525',
  });
  const returnRoute = { servers: ['mx.reachout.example (192.0.2.1)'], isHere: true, problem: undefined };
  const fine: Machine = {
    config,
    environment: { SECRET_KEY: testSecretKey },
    risks: [],
    nodeVersion: '26.10.0',
    testedNodeVersion: '26.10.0',
    hasDemo: false,
    mailProblem: undefined,
    returnRoute,
  };
  const cases: [what: string, machine: Partial<Machine>, finding: RegExp | undefined][] = [
    ['nothing', {}, undefined],
    ['no sender domains', { config: { ...config, senderDomains: [] } }, /^fail SENDER_DOMAINS is not set/],
    ['no mail server', { config: { ...config, smtpUrl: undefined } }, /^warn SMTP_URL is not set/],
    [
      'an address of this machine',
      { config: { ...config, publicUrl: 'http://localhost:3000' } },
      /^warn PUBLIC_URL/,
    ],
    ['a key beside the data', { environment: {} }, /^warn SECRET_KEY is not set/],
    ['a risk of the settings', { risks: ['This process runs as root.'] }, /^warn This process runs as root/],
    ['a demo', { hasDemo: true }, /^fail There is a demo organization/],
    ['a database that is away', { hasDemo: undefined }, /^warn The database could not be asked/],
    [
      'a dead mail server',
      { mailProblem: 'ECONNREFUSED' },
      /^fail The mail server of SMTP_URL .*ECONNREFUSED/,
    ],
    ['returned mail that nobody reads', { config: { ...config, inbound: undefined } }, /^warn SMTP_IN_PORT/],
    [
      'a listener that does not answer',
      { returnRoute: { ...returnRoute, problem: 'ECONNREFUSED' } },
      /^fail The listener .* 2525 \(ECONNREFUSED\)/,
    ],
    [
      'returned mail that goes nowhere',
      { returnRoute: { ...returnRoute, servers: [], isHere: false } },
      /^fail Mail to reachout\.example goes nowhere/,
    ],
    [
      'returned mail that goes elsewhere',
      { returnRoute: { ...returnRoute, isHere: false } },
      /^warn Mail to reachout\.example goes to mx\.reachout\.example \(192\.0\.2\.1\), which is no/,
    ],
    ['another Node.js', { nodeVersion: '20.1.0' }, /^warn Node\.js is 20\.1\.0; .* 26\.10\.0/],
  ];
  for (const [what, machine, finding] of cases) {
    test(`the doctor names ${what}`, () => {
      const open = diagnoseMachine({ ...fine, ...machine }).filter(({ level }) => level !== 'ok');
      if (finding === undefined) assert.deepEqual(open, []);
      else assert.match(levelsOf(open), finding);
      assert.equal(open.length, finding === undefined ? 0 : 1);
    });
  }

  test('the mail server’s answer is reported', async () => {
    const said: string[] = [];
    let greeting: string | undefined;
    const server = createTcpServer((socket) => {
      if (greeting !== undefined) socket.write(greeting);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        said.push(bytes.toString());
        socket.write('250-mail.example\r\n250 SIZE 1000\r\n');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const url = `smtp://ada:secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
    assert.equal(await askMailServer(url, 50), 'no answer within 0.05 s');
    greeting = '554 Not you\r\n';
    assert.equal(await askMailServer(url), '554 Not you');
    assert.deepEqual(said, []);
    greeting = '220 mail.example\r\n';
    assert.equal(await askMailServer(url), undefined);
    assert.equal(said[0], 'EHLO [127.0.0.1]\r\n');
    assert.equal(await askMailServer('smtp://127.0.0.1:1'), 'ECONNREFUSED');
  });

  test('each point is one line, and failures exit with 1', async () => {
    const run = async (args: string[] = [], settings: Record<string, string> = {}) => {
      const child = spawn(process.execPath, [join(root, 'scripts/doctor.ts'), ...args], {
        cwd: root,
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: home.ownerUrl,
          DATABASE_APP_URL: home.appUrl,
          DATABASE_AUTH_URL: home.authUrl,
          SECRET_KEY: testSecretKey,
          PUBLIC_URL: homeUrl,
          ...settings,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
      const [code] = (await once(child, 'close')) as [number];
      return { code, lines: output.trim().split('\n') };
    };
    const good = await run();
    assert.equal(good.code, 0, good.lines.join('\n'));
    assert.equal(good.lines.at(-1), 'Nothing fails.');
    assert.ok(good.lines.includes('ok    There is no demo.'));
    assert.ok(
      good.lines.slice(0, -2).every((line) => /^(?:ok {4}|warn {2})\S/.test(line)),
      good.lines.join('\n'),
    );
    const [away, elsewhere] = await Promise.all([
      run(['http://localhost:1']),
      run([homeUrl], {
        DATABASE_URL: '',
        DATABASE_APP_URL: '',
        DATABASE_AUTH_URL: '',
        PUBLIC_URL: '',
        DATA_DIR: join(root, 'no-such-folder'),
      }),
    ]);
    assert.equal(away.code, 1);
    assert.equal(away.lines.at(-1), '1 to mend.');
    assert.ok(away.lines.includes(`PUBLIC_URL is ${homeUrl} here.`), away.lines.join('\n'));
    assert.equal(elsewhere.code, 0, elsewhere.lines.join('\n'));
    assert.match(elsewhere.lines[1]!, /^There is no installation in /);
    assert.ok(elsewhere.lines.includes(`ok    ${homeUrl} answers.`));
    for (const { lines } of [away, elsewhere])
      assert.doesNotMatch(lines.slice(2).join('\n'), /PUBLIC_URL|SMTP_URL|SECRET_KEY|root|demo|Node/);
  });
});
