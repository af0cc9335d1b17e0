import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { testCertificate, testKey } from '../../testing/smtp-certificate.ts';
import { words } from '../../testing/words.ts';
import { createJsonBounds } from './bounded-json.ts';
import { isGlobalAddress } from './global-address.ts';
import { createOutboundClient, outboundLimits, type OutboundClient } from './outbound-client.ts';
import { OutboundFailure } from './outbound-failure.ts';

/** Records of the test's own name server. */
const zone: Record<string, string[]> = {
  'inside.example': ['127.0.0.1'],
  'mixed.example': ['93.184.216.34', '::1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
};

const failsWith = (kind: string) => (error: unknown) => {
  assert.ok(error instanceof OutboundFailure, String(error));
  assert.equal(error.kind, kind);
  assert.doesNotMatch(error.message, /\d{2}|\/\//, 'tells nothing of addresses');
  return true;
};

suite('requests to customer URLs (OUT-1)', () => {
  let server: Server;
  let port: number;
  let names: Socket;
  let resolver: Resolver;
  const hits: string[] = [];
  const clients: OutboundClient[] = [];
  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    '/ok': (_request, response) => void response.end('fine'),
    '/redirect': (_request, response) => void response.writeHead(302, { location: '/secret' }).end(),
    '/secret': (_request, response) => void response.end('secret'),
    '/stalled': () => {},
    '/endless': (_request, response) => {
      const chunk = 'x'.repeat(65_536);
      const more = () => {
        while (response.write(chunk));
      };
      response.on('drain', more);
      more();
    },
    '/bomb': (_request, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(60_000_000))),
    '/drip': (_request, response) => {
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    },
    '/announced': (_request, response) =>
      void response.writeHead(200, { 'content-length': '10000001' }).write('x'),
    '/reset': (request) => void request.socket.destroy(),
    '/headers': (_request, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end(),
  };

  before(async () => {
    server = createServer((request, response) => {
      hits.push(request.url ?? '');
      routes[request.url ?? '']?.(request, response);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    ({ port } = server.address() as AddressInfo);
    names = await startNameServer();
    resolver = new Resolver({ timeout: 30_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${names.address().port}`]);
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    server.closeAllConnections();
    server.close();
    names.close();
  });

  const quickly = { ...outboundLimits, unusableNameMs: 20 };
  const clientOf = (listed: string[] = [`127.0.0.1:${port}`], limits = quickly) => {
    const client = createOutboundClient(listed, limits, resolver);
    clients.push(client);
    return client;
  };
  const get = (client: OutboundClient, url: string, owner = 'one') =>
    client.request({ owner, url, method: 'GET', headers: {} });

  test('only public addresses on port 443 are allowed (OUT-2)', async () => {
    const client = clientOf([]);
    const heard = hits.length;
    const refused: [url: string, kind: string][] = [
      ['https://127.0.0.1/ok', 'private'],
      ['https://2130706433/ok', 'private'],
      ['https://0x7f.1/ok', 'private'],
      ['https://0177.0.0.1/ok', 'private'],
      ['https://127.1/ok', 'private'],
      ['https://[::1]/ok', 'private'],
      ['https://[::ffff:127.0.0.1]/ok', 'private'],
      ['https://[64:ff9b::7f00:1]/ok', 'private'],
      ['https://[2002:7f00:1::]/ok', 'private'],
      ['https://[::127.0.0.1]/ok', 'private'],
      ['https://10.1.2.3/', 'private'],
      ['https://169.254.169.254/latest/meta-data', 'private'],
      ['https://100.64.0.1/', 'private'],
      ['https://localhost/ok', 'name'],
      [`http://127.0.0.1:${port}/ok`, 'address'],
      [`https://93.184.216.34:${port}/ok`, 'address'],
      ['http://cms.example/', 'address'],
      ['https://user:password@cms.example/', 'address'],
      ['ftp://cms.example/', 'address'],
      ['file:///etc/passwd', 'address'],
      ['no address', 'address'],
      ['https://inside.example/', 'name'],
      ['https://mixed.example/', 'name'],
      ['https://metadata.example/', 'name'],
      ['https://mapped.example/', 'name'],
      ['https://nat64.example/', 'name'],
      ['https://unknown.example/', 'name'],
    ];
    for (const [url, kind] of refused) {
      // Each has its own owner: after some failures, no requests are sent to a server.
      await assert.rejects(get(client, url, url), failsWith(kind), url);
    }
    assert.equal(hits.length, heard, 'nothing listens to what was asked');
    // Without secrets, http is allowed, but leads to no other addresses.
    const plainly = { owner: 'plain', method: 'GET', headers: {}, allowsHttp: true };
    for (const [url, kind] of [
      ['http://inside.example/', 'name'],
      ['http://127.0.0.1/', 'private'],
      [`http://93.184.216.34:${port}/`, 'address'],
      ['ftp://93.184.216.34/', 'address'],
    ] as const)
      await assert.rejects(client.request({ ...plainly, url }), failsWith(kind), url);
    assert.equal(hits.length, heard);
    // Other ports of a listed host remain private, and look like those of any other name.
    const listing = clientOf([`inside.example:${port}`]);
    await assert.rejects(get(listing, 'https://inside.example/'), failsWith('name'));
    await assert.rejects(get(listing, 'https://inside.example:9/'), failsWith('address'));
  });

  test('unknown and private names take the same time (OUT-2)', async () => {
    const client = clientOf([`listed.example:${port}`], { ...quickly, unusableNameMs: 400 });
    const timeOf = async (name: string) => {
      const startedAt = performance.now();
      await assert.rejects(get(client, `https://${name}/`, name), failsWith('name'));
      return performance.now() - startedAt;
    };
    const times = await Promise.all(['unknown', 'inside', 'listed'].map((name) => timeOf(`${name}.example`)));
    for (const ms of times) assert.ok(ms >= 395, `${ms} ms`);
  });

  test('public addresses follow the registry (OUT-2)', () => {
    const open = ['93.184.216.34', '1.1.1.1', '2606:4700::1111', '64:ff9b::5db8:d822', '2002:5db8:d822::1'];
    const closed = words(`
      0.0.0.0 192.168.1.1 172.16.0.1 198.18.0.1 192.0.2.1 224.0.0.1 255.255.255.255
    `);
    const closed6 = words(`
      :: fe80::1 fc00::1 ff02::1 2001:db8::1 2001::1 4000::1 fec0::1 64:ff9b:1::1
    `);
    for (const address of open) assert.equal(isGlobalAddress(address), true, address);
    for (const address of [...closed, ...closed6]) assert.equal(isGlobalAddress(address), false, address);
  });

  test('redirects are not followed (OUT-3)', async () => {
    await assert.rejects(get(clientOf(), `http://127.0.0.1:${port}/redirect`), failsWith('redirect'));
    assert.ok(!hits.includes('/secret'));
  });

  test('time and decompressed size have limits (OUT-4)', async () => {
    const lenient = { ...outboundLimits, failures: 100 };
    const patient = clientOf(undefined, lenient);
    const impatient = clientOf(undefined, { ...lenient, headersMs: 1_000, totalMs: 2_000 });
    assert.equal((await get(patient, `http://127.0.0.1:${port}/ok`)).body.toString(), 'fine');
    await Promise.all(
      ['/stalled', '/drip'].map((path) =>
        assert.rejects(get(impatient, `http://127.0.0.1:${port}${path}`), failsWith('timeout'), path),
      ),
    );
    const failing: [path: string, kind: string][] = [
      ['/endless', 'too_large'],
      ['/bomb', 'too_large'],
      ['/announced', 'too_large'],
      ['/headers', 'too_large'],
      ['/reset', 'connection'],
    ];
    await Promise.all(
      failing.map(([path, kind]) =>
        assert.rejects(get(patient, `http://127.0.0.1:${port}${path}`), failsWith(kind), path),
      ),
    );
    // No process listens there, and no other test can.
    await assert.rejects(get(clientOf(['127.0.0.1:2']), 'http://127.0.0.1:2/'), failsWith('refused'));
  });

  test('certificates must be valid', async () => {
    const tls = createTlsServer({ cert: testCertificate, key: testKey });
    await new Promise<void>((resolve) => {
      tls.listen(0, '127.0.0.1', resolve);
    });
    const at = `127.0.0.1:${(tls.address() as AddressInfo).port}`;
    await assert.rejects(get(clientOf([at]), `https://${at}/`), failsWith('certificate'));
    tls.close();
  });

  test('repeated failures pause requests of that owner only (OUT-4)', async () => {
    const client = clientOf(undefined, { ...outboundLimits, failures: 3 });
    const url = `http://127.0.0.1:${port}/reset`;
    for (let n = 0; n < 3; n += 1) await assert.rejects(get(client, url), failsWith('connection'));
    const heard = hits.length;
    await assert.rejects(get(client, `http://127.0.0.1:${port}/ok`), failsWith('paused'));
    assert.equal(hits.length, heard);
    assert.equal((await get(client, `http://127.0.0.1:${port}/ok`, 'other')).status, 200);
  });

  test('a request is asked for right before it is written', async () => {
    const client = clientOf();
    const heard = hits.length;
    const ask = (mayLeave: () => boolean, url = `http://127.0.0.1:${port}/ok`) =>
      client.request({ owner: 'one', url, method: 'POST', headers: {}, body: 'x', mayLeave });
    let asked = 0;
    const answerTo = (answer: boolean) => () => (asked += 1) > 0 && answer;
    for (let count = 0; count < 2 * quickly.failures; count += 1)
      await assert.rejects(ask(answerTo(false)), (error) => !(error instanceof OutboundFailure));
    assert.equal(hits.length, heard, 'nothing was written');
    assert.equal((await ask(answerTo(true))).body.toString(), 'fine', 'what is withdrawn is no failure');
    assert.equal(asked, 2 * quickly.failures + 1);
    await assert.rejects(ask(answerTo(true), 'https://inside.example/'), failsWith('name'));
    await assert.rejects(ask(answerTo(true), `https://127.0.0.1:${port}/ok`));
    assert.equal(asked, 2 * quickly.failures + 1, 'there was no connection');
  });

  test('hosts of other protocols obey the same rules (OUT-2)', async () => {
    const client = clientOf(['127.0.0.1:25', 'localhost', 'relay.internal:25']);
    const refused: [host: string, port: number, kind: string][] = [
      ['127.0.0.1', 587, 'name'],
      ['127.0.0.2', 25, 'private'],
      ['0x7f.0.0.2', 25, 'private'],
      ['[::1]', 25, 'private'],
      ['10.0.0.1', 25, 'private'],
      ['relay.internal.', 587, 'name'],
      ['user@mail.example', 25, 'address'],
      ['mail.example/x', 25, 'address'],
      ['', 25, 'address'],
    ];
    for (const [host, at, kind] of refused)
      assert.throws(() => client.socketTo(host, at), failsWith(kind), host);
    assert.equal(client.socketTo('127.0.0.1', 25).host, '127.0.0.1');
    assert.equal(client.socketTo('0x7f.1', 25).host, '127.0.0.1');
    assert.equal(client.socketTo('[2606:4700::1111]', 25).host, '2606:4700::1111');
    assert.equal(client.socketTo('MAIL.example.', 25).host, 'mail.example');
    const lookUp = (host: string) =>
      new Promise((resolve, reject) => {
        const { lookup } = client.socketTo(host, 25);
        lookup(host, { all: true }, (error, found) => (error === null ? resolve(found) : reject(error)));
      });
    for (const host of ['inside.example', 'mixed.example', 'unknown.example'])
      await assert.rejects(lookUp(host), failsWith('name'));
    assert.ok(Array.isArray(await lookUp('localhost')));
  });

  test('JSON is parsed only within bounds (OUT-6)', () => {
    const isBounded = (text: string) => {
      const { accepts } = createJsonBounds();
      // Regardless of how it is split into chunks.
      return text.match(/[^]{1,7}/g)!.every((piece) => accepts(Buffer.from(piece)));
    };
    assert.ok(isBounded(JSON.stringify({ data: [{ text: '[[{{,,"\\'.repeat(100_000) }] })));
    assert.ok(isBounded(`${'['.repeat(64)}${']'.repeat(64)}`));
    assert.ok(!isBounded('['.repeat(100_000)));
    assert.ok(!isBounded(`{${Array.from({ length: 1_000_000 }, (_, n) => `"f${n}":1`).join(',')}}`));
  });
});

/** Starts a name server that answers A and AAAA queries from `zone`, over UDP. */
async function startNameServer(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at]!; length > 0; length = question[at]!) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = question.readUInt16BE(at + 1);
    const known = zone[labels.join('.').toLowerCase()];
    const records = (known ?? [])
      .map((address) => ipaddr.parse(address))
      .filter((address) => (address.kind() === 'ipv4' ? 1 : 28) === type)
      .map((address) => Buffer.from(address.toByteArray()))
      .map((data) =>
        Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.length]), data]),
      );
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    // Additional records of the query, such as EDNS, are omitted.
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, question.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  return socket;
}
