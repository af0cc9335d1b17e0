import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { before, suite, test } from 'node:test';
import { createTrackingProbe, trackingProbePath } from '../../email/domains/probe-tracking.ts';
import { createOutboundClient } from '../../platform/outbound/outbound-client.ts';
import { useTestApp, type TestApp } from '../../testing/app.ts';
import { buildOrganization } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { buildSentEmail } from '../../testing/sent-email.ts';
import { createTrackingHosts } from './tracking-hosts.ts';

const publicUrl = 'https://reachout.example';
const token = 'f6WYlVxOcnPtZ2K0s4DqE9aBuR1mTgJh';
const certificate = (host: string) => `/.well-known/reachout-certificate?domain=${host}`;

interface DomainGiven {
  organization_id?: string;
  status?: 'pending' | 'verified' | 'failing';
  destination?: string | null;
  state?: 'pass' | 'warn' | 'fail' | null;
  /** Where the CNAME record of the host leads. */
  target?: string;
}

async function buildDomain({ owner }: TestApp, domain: string, given: DomainGiven = {}): Promise<void> {
  const { status = 'verified', destination = null, state = 'pass', target } = given;
  const organization_id = given.organization_id ?? (await buildOrganization(owner)).id;
  const id = randomUUID();
  await insertRows(owner, 'sending_domains', { organization_id, id, domain, status, destination });
  const found = target === undefined ? [] : [{ type: 'CNAME', name: `click.${domain}`, value: target }];
  await insertRows(owner, 'sending_domain_checks', {
    organization_id,
    domain_id: id,
    kind: 'tracking',
    state,
    verdict: state,
    found: JSON.stringify(found),
  });
}

suite('hosts of links', () => {
  const app = useTestApp({ publicUrl, trustedProxies: ['192.0.2.7'] });
  const get = (host: string, url: string, headers: Record<string, string> = {}, remoteAddress?: string) =>
    app.app.inject({
      method: 'GET',
      url,
      headers: { host, ...headers },
      ...(remoteAddress && { remoteAddress }),
    });

  before(async () => {
    await buildDomain(app, 'customer.example', { destination: 'https://www.customer.example/welcome' });
    await buildDomain(app, 'bare.example', { state: 'warn', status: 'failing' });
    await buildDomain(app, 'new.example', { status: 'pending', state: 'fail', target: 'reachout.example' });
    await buildDomain(app, 'elsewhere.example', {
      status: 'pending',
      state: 'fail',
      target: 'other.example',
    });
    await buildDomain(app, 'unchecked.example', { status: 'pending', state: null });
    await app.services.trackingHosts.refresh();
  });

  test('the check of a host is answered by the server itself', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const host = `127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
    const client = createOutboundClient([host]);
    try {
      assert.deepEqual(await createTrackingProbe(client, 'an organization')(host), { outcome: 'http_only' });
    } finally {
      await client.close();
    }
  });

  test('a well-formed token comes back as plain text', async () => {
    for (const host of ['reachout.example', 'click.customer.example', 'unknown.example']) {
      const { statusCode, headers, body } = await get(host, trackingProbePath + token);
      assert.deepEqual([statusCode, body], [200, token], host);
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
    for (const bad of ['short', 'x'.repeat(65), `${token}<script>`, `${token}%0d%0aa`, `${token}/more`])
      assert.equal((await get('click.customer.example', trackingProbePath + bad)).statusCode, 404, bad);
  });

  test("only messages answer at a customer's host (INP-6)", async () => {
    const { headers: session } = await app.signIn();
    const { cookie } = session;
    for (const host of [
      'click.customer.example',
      'click.customer.example:443',
      'CLICK.Customer.Example',
      'click.customer.example.',
      'click.customer.example.:8443',
      'click.new.example',
    ]) {
      for (const url of [
        '/api/me',
        '/%61pi/me',
        '/api/health/live',
        '/api/auth/get-session',
        '/api/openapi.json',
        '/sign-in',
        '/index.html',
        '/assets/index.js',
        '//',
        '/t/x/y',
        '/content/items/contacts',
      ]) {
        const { statusCode, headers } = await get(host, url, { cookie: cookie! });
        assert.deepEqual([statusCode, headers['set-cookie']], [404, undefined], `${host} ${url}`);
      }
      assert.equal((await get(host, '/t/o/none')).headers['content-type'], 'image/gif');
      for (const url of ['/t/c/none.1', '/u/none', '/p/none', '/v/none']) {
        const { headers, body } = await get(host, url, { cookie: cookie! });
        assert.match(body, /<html/, url);
        assert.equal(headers['set-cookie'], undefined);
      }
      assert.equal((await get(host, '/l/none.png')).body, '');
      assert.equal((await get(host, '/i/none')).body, '');
      for (const method of ['POST', 'OPTIONS', 'PUT'] as const) {
        const reply = await app.app.inject({
          method,
          url: '/api/auth/sign-out',
          headers: { host, cookie: cookie!, origin: publicUrl },
          payload: {},
        });
        assert.equal(reply.statusCode, 404, method);
        assert.equal(reply.headers['access-control-allow-origin'], undefined);
      }
    }
    assert.equal((await get('reachout.example', '/api/me', { cookie: cookie! })).statusCode, 200);
  });

  test("messages work at a customer's host", async () => {
    const sent = await buildSentEmail(app.owner);
    const { unsubscribe } = app.services.signer.sign({ sendNumber: sent.sendNumber, seq: 1 });
    const host = 'click.customer.example';
    assert.equal((await get(host, `/u/${unsubscribe}`)).statusCode, 200);
    const reply = await app.app.inject({
      method: 'POST',
      url: `/u/${unsubscribe}`,
      payload: 'List-Unsubscribe=One-Click',
      headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual([reply.statusCode, reply.body], [200, 'Unsubscribed.\n']);
  });

  test('the page of a message keeps the host that it was sent with', async () => {
    const sent = await buildSentEmail(app.owner);
    const { sendId: send_id } = sent;
    const { view } = app.services.signer.sign({ sendNumber: sent.sendNumber, seq: 1 });
    await updateRows(
      app.owner,
      'touchpoint_send_contents',
      { send_id },
      { public_url: 'https://click.before.example' },
    );
    const { body } = await get('reachout.example', `/v/${view}`);
    assert.match(body, /https:\/\/click\.before\.example\/u\//);
    assert.doesNotMatch(body, /https:\/\/reachout\.example/);
  });

  test('the bare host leads to the destination of the domain', async () => {
    for (const url of ['/', '/?utm=1']) {
      const { statusCode, headers } = await get('click.customer.example', url);
      assert.deepEqual([statusCode, headers.location], [302, 'https://www.customer.example/welcome']);
      assert.equal(headers['cache-control'], 'no-store');
    }
    assert.equal((await get('click.bare.example', '/')).statusCode, 404);
    const posted = await app.app.inject({
      method: 'POST',
      url: '/',
      headers: { host: 'click.customer.example' },
    });
    assert.equal(posted.statusCode, 404);
  });

  test('other hosts answer as before', async () => {
    for (const host of ['reachout.example', '127.0.0.1', 'localhost:3000', '[::1]:3000', 'elsewhere.example'])
      assert.equal((await get(host, '/api/health/live')).statusCode, 200, host);
    assert.equal((await get('click.elsewhere.example', '/api/health/live')).statusCode, 200);
  });

  test('X-Forwarded-Host counts from configured proxies only', async () => {
    const forwarded = { 'x-forwarded-host': 'click.customer.example' };
    assert.equal((await get('reachout.example', '/api/health/live', forwarded)).statusCode, 200);
    const byProxy = await get('reachout.example', '/api/health/live', forwarded, '192.0.2.7');
    assert.equal(byProxy.statusCode, 404);
    const other = { 'x-forwarded-host': 'reachout.example' };
    assert.equal((await get('click.customer.example', '/api/health/live', other)).statusCode, 404);
  });

  test("no domain takes the installation's own host away", async () => {
    await buildDomain(app, 'own.example');
    const hosts = createTrackingHosts(app.services.trackingDb, 'click.own.example');
    await hosts.refresh();
    assert.ok(hosts.find('click.customer.example'));
    assert.equal(hosts.find('click.own.example'), undefined);
  });

  test('certificates are for hosts that lead here, and asked for by our proxies', async () => {
    const statusOf = async (host: string, headers = {}, from?: string) =>
      (await get('127.0.0.1:3000', certificate(host), headers, from)).statusCode;
    for (const host of ['click.customer.example', 'CLICK.new.example', 'click.bare.example'])
      assert.equal(await statusOf(host), 200, host);
    for (const host of [
      'customer.example',
      'click.elsewhere.example',
      'click.unchecked.example',
      'evil.example',
      '',
    ])
      assert.equal(await statusOf(host), 404, host);
    const twice = 'click.customer.example&domain=click.customer.example';
    assert.equal(await statusOf(twice), 404);
    assert.equal(await statusOf('click.customer.example', {}, '192.0.2.7'), 200);
    assert.equal(await statusOf('click.customer.example', {}, '::ffff:127.0.0.1'), 200);
    assert.equal(await statusOf('click.customer.example', {}, '192.0.2.8'), 404);
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'])
      assert.equal(await statusOf('click.customer.example', { [name]: '198.51.100.1' }), 404, name);
    assert.equal(
      (await get('click.customer.example', certificate('click.customer.example'))).statusCode,
      404,
    );
  });

  test('the organization that verified a domain decides where it leads', async () => {
    await buildDomain(app, 'contested.example', { status: 'pending', destination: 'https://evil.example/' });
    await app.services.trackingHosts.refresh();
    assert.equal((await get('click.contested.example', '/')).statusCode, 404);
    await buildDomain(app, 'contested.example', { destination: 'https://good.example/' });
    await app.services.trackingHosts.refresh();
    assert.equal((await get('click.contested.example', '/')).headers.location, 'https://good.example/');
  });

  test('a deleted organization has no hosts', async () => {
    const { id } = await buildOrganization(app.owner);
    await buildDomain(app, 'gone.example', { organization_id: id });
    await app.services.trackingHosts.refresh();
    assert.ok(app.services.trackingHosts.find('click.gone.example'));
    await updateRows(app.owner, 'organizations', { id }, { deleted: true });
    await app.services.trackingHosts.refresh();
    assert.equal(app.services.trackingHosts.find('click.gone.example'), undefined);
  });
});
