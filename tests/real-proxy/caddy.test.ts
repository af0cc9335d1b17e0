import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as requestPlain } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { useTestApp } from '../../apps/server/src/testing/app.ts';
import { buildOrganization } from '../../apps/server/src/sample/records.ts';
import { findFreePort } from '../../apps/server/src/testing/find-free-port.ts';
import { insertRows } from '../../apps/server/src/sample/rows.ts';
import { waitUntil } from '../../apps/server/src/testing/wait-until.ts';

const probe = '/.well-known/reachout-probe/f6WYlVxOcnPtZ2K0s4DqE9aBuR1mTgJh';

suite('docs/Caddyfile', () => {
  const app = useTestApp({ publicUrl: 'https://reachout.example', trustedProxies: ['127.0.0.1'] });
  let directory: string;
  let caddy: ChildProcess;
  let ports: { http: number; https: number };
  let authority: string;

  before(async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const upstream = `127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
    ports = { http: await findFreePort(), https: await findFreePort() };
    directory = await mkdtemp(join(tmpdir(), 'reachout-caddy-'));
    const file = await readFile(join(import.meta.dirname, '../../docs/Caddyfile'), 'utf8');
    const config = join(directory, 'Caddyfile');
    // What a machine without a public name needs: its own authority, and ports that need no rights.
    const local = [
      'local_certs',
      'skip_install_trust',
      'admin off',
      `http_port ${ports.http}`,
      `https_port ${ports.https}`,
      `storage file_system ${directory}/storage`,
    ];
    await writeFile(
      config,
      file.replaceAll('127.0.0.1:3000', upstream).replace(/^\{$/m, `{\n\t${local.join('\n\t')}`),
    );
    caddy = spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
      env: { PATH: process.env['PATH'], HOME: directory },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const root = join(directory, 'storage/pki/authorities/local/root.crt');
    authority = await waitUntil('Caddy has its authority', () =>
      readFile(root, 'utf8').catch(() => undefined),
    );
    await waitUntil('Caddy answers', () =>
      visit('http', 'reachout.example', '/').then(
        () => true,
        () => false,
      ),
    );
  });
  after(async () => {
    if (caddy.exitCode === null) {
      caddy.kill();
      await once(caddy, 'exit');
    }
    await rm(directory, { recursive: true });
  });

  async function visit(scheme: 'http' | 'https', host: string, path: string) {
    const options = { host: '127.0.0.1', path, headers: { host }, agent: false };
    const request =
      scheme === 'http'
        ? requestPlain({ ...options, port: ports.http })
        : requestOverTls({ ...options, port: ports.https, servername: host, ca: authority });
    const [response] = (await once(request.end(), 'response')) as [import('node:http').IncomingMessage];
    return { status: response.statusCode, location: response.headers.location, body: await text(response) };
  }

  test("a customer's host gets a certificate once its record leads here", async () => {
    const host = 'click.customer.example';
    await assert.rejects(visit('https', host, probe));
    // Its check is answered before that, without encryption.
    assert.equal((await visit('http', host, probe)).body, probe.split('/').at(-1));

    const { id: organization_id } = await buildOrganization(app.owner);
    const id = randomUUID();
    await insertRows(app.owner, 'sending_domains', { organization_id, id, domain: 'customer.example' });
    await insertRows(app.owner, 'sending_domain_checks', {
      organization_id,
      domain_id: id,
      kind: 'tracking',
      state: 'fail',
      found: JSON.stringify([{ type: 'CNAME', name: host, value: 'reachout.example' }]),
    });
    await app.services.trackingHosts.refresh();
    assert.equal((await visit('https', host, probe)).body, probe.split('/').at(-1));
    assert.equal((await visit('https', host, '/api/health/live')).status, 404);
  });

  test('no other host gets one', async () => {
    for (const host of ['click.stranger.example', 'customer.example', 'www.reachout.example'])
      await assert.rejects(visit('https', host, probe), host);
  });

  test('our own host shows the app, and tells nobody whom it would allow', async () => {
    assert.equal((await visit('https', 'reachout.example', '/api/health/live')).status, 200);
    const path = '/.well-known/reachout-certificate?domain=click.customer.example';
    assert.equal((await visit('https', 'reachout.example', path)).status, 404);
  });

  test('http leads to https', async () => {
    for (const host of ['reachout.example', 'click.customer.example']) {
      const { status, location } = await visit('http', host, '/u/token');
      assert.deepEqual([status, location?.replace(/:\d+(?=\/)/, '')], [308, `https://${host}/u/token`]);
    }
  });
});
