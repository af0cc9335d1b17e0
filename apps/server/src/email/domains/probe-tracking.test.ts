import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  createOutboundClient,
  outboundLimits,
  type OutboundClient,
} from '../../platform/outbound/outbound-client.ts';
import { testCertificate, testKey } from '../../testing/smtp-certificate.ts';
import { createTrackingProbe, trackingProbePath } from './probe-tracking.ts';

suite('visits of a tracking host (R5.6)', () => {
  const servers: Server[] = [];
  const clients: OutboundClient[] = [];
  const trusted = getCACertificates('default');
  let hits = 0;
  let answer: RequestListener = () => {};
  const listen = async (server: Server): Promise<string> => {
    servers.push(server);
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const handle: RequestListener = (request, response) => {
    hits += 1;
    answer(request, response);
  };
  const tokenOf = (url = '') => url.slice(trackingProbePath.length);
  const echo: RequestListener = (request, response) =>
    void response.end(request.url?.startsWith(trackingProbePath) === true ? tokenOf(request.url) : 'no');
  let tls: string;
  let plain: string;
  const visit = (host: string, privateHosts = [tls, plain]) => {
    const client = createOutboundClient(privateHosts, { ...outboundLimits, unusableNameMs: 20 });
    clients.push(client);
    return createTrackingProbe(client, 'an organization')(host);
  };

  before(async () => {
    tls = await listen(createTlsServer({ cert: testCertificate, key: testKey }, handle));
    plain = await listen(createServer(handle));
    setDefaultCACertificates([...trusted, testCertificate]);
  });
  after(async () => {
    setDefaultCACertificates(trusted);
    await Promise.all(clients.map((client) => client.close()));
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  test('the token comes back, with the end of the certificate', async () => {
    answer = echo;
    assert.deepEqual(await visit(tls), {
      outcome: 'ok',
      certificateEndsAt: new Date('2126-10-27T10:40:47Z'),
    });
  });

  test('an answer without encryption is told apart', async () => {
    answer = echo;
    assert.deepEqual(await visit(plain), { outcome: 'http_only' });
  });

  test('other answers are not ours, and no redirect is followed', async () => {
    answer = (_request, response) => void response.writeHead(404).end('nothing here');
    assert.deepEqual(await visit(tls), { outcome: 'other_answer', answer: 'HTTP 404' });
    answer = (_request, response) => void response.end('a welcome page');
    assert.deepEqual(await visit(tls), { outcome: 'other_answer', answer: 'HTTP 200' });
    answer = (request, response) => void response.end(tokenOf(request.url).padEnd(5_000, 'x'));
    assert.deepEqual(await visit(tls), { outcome: 'other_answer', answer: '> 4 kB' });
    hits = 0;
    answer = (request, response) => void response.writeHead(302, { location: request.url }).end();
    assert.deepEqual(await visit(tls), { outcome: 'other_answer', answer: 'HTTP 3xx' });
    assert.equal(hits, 1);
  });

  test('hosts of private networks are not visited (OUT-2)', async () => {
    answer = echo;
    hits = 0;
    for (const host of [tls, '127.0.0.1', 'localhost', '169.254.169.254', '[::1]', plain]) {
      const result = await visit(host, []);
      assert.equal(result.outcome, 'failed', host);
    }
    assert.equal(hits, 0);
  });

  test('an invalid certificate and a closed port are failures', async () => {
    setDefaultCACertificates(trusted);
    const untrusted = await visit(tls);
    setDefaultCACertificates([...trusted, testCertificate]);
    assert.ok(untrusted.outcome === 'failed' && untrusted.kind === 'certificate');
    const closed = await visit('127.0.0.1:2', ['127.0.0.1:2']);
    assert.ok(closed.outcome === 'failed' && closed.kind === 'refused');
  });
});
