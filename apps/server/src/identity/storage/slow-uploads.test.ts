import assert from 'node:assert/strict';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import sharp from 'sharp';
import { httpLimits } from '../../platform/http/http-limits.ts';
import { createLog } from '../../platform/log.ts';
import { createOrganization } from '../../testing/create-organization.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { waitUntil } from '../../testing/wait-until.ts';

suite('slow uploads', () => {
  let app: TestApp;
  let png: Buffer;
  const logged: string[] = [];
  before(async () => {
    const http = { ...httpLimits, bodies: { ...httpLimits.bodies, uploadMs: 3_000, lingerMs: 100 } };
    const log = createLog('error', { write: (line) => logged.push(line) });
    app = await createTestApp({}, { limits: { http }, log });
    await app.app.listen({ host: '127.0.0.1', port: 0 });
    png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
  });
  after(async () => {
    await app.close();
  });

  const port = () => (app.app.server.address() as AddressInfo).port;

  /** Sends only the beginning of a file of 4 MB. */
  function stall(
    person: Person,
    { path = '/api/storage/avatars/me', type = 'image/png', start = Buffer.alloc(1_000_000) } = {},
  ): { socket: Socket; response: string; isClosed: boolean } {
    const socket = connect(port(), '127.0.0.1');
    const upload = { socket, response: '', isClosed: false };
    socket.on('data', (data) => (upload.response += data.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => (upload.isClosed = true));
    socket.write(
      [
        `POST ${path} HTTP/1.1`,
        `host: 127.0.0.1:${port()}`,
        ...Object.entries(person.headers).map(([name, value]) => `${name}: ${value}`),
        `content-type: ${type}`,
        'content-length: 4000000',
        '\r\n',
      ].join('\r\n'),
    );
    socket.write(start);
    return upload;
  }
  const upload = async (person: Person) =>
    (
      await fetch(`http://127.0.0.1:${port()}/api/storage/avatars/me`, {
        method: 'POST',
        headers: { ...person.headers, 'content-type': 'image/png' },
        body: new Uint8Array(png),
      })
    ).status;
  const statusOf = ({ response }: { response: string }) => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);

  test('a user’s slow uploads take two places (RATE-1)', async () => {
    const attacker = await app.signIn();
    const other = await app.signIn();
    const crowd = Array.from({ length: 40 }, () => stall(attacker));
    try {
      // Two are read and eight wait; the others are rejected.
      const open = () => crowd.filter((one) => Number.isNaN(statusOf(one)));
      await waitUntil('the rest is refused', () => open().length <= 10);
      // On a slow machine, some timed out before the last one arrived.
      assert.ok(crowd.filter((one) => statusOf(one) === 503).length >= 20);
      assert.equal(await upload(other), 201);
      assert.ok(open().length > 0, 'it waited for the crowd');
      const late = await waitUntil('those that are read are given up', () =>
        crowd.find((one) => statusOf(one) === 408 && one.isClosed),
      );
      assert.match(late.response, /took too long/);
    } finally {
      for (const { socket } of crowd) socket.destroy();
    }
    // The slots are free again.
    await waitUntil('the crowd is gone', async () => (await upload(attacker)) === 201);
  });

  test('aborted uploads free their place', async () => {
    const person = await app.signIn();
    for (let round = 0; round < 3; round += 1) {
      const crowd = Array.from({ length: 4 }, () => stall(person));
      await waitUntil('they are connected', () => crowd.every(({ socket }) => socket.bytesWritten > 0));
      for (const { socket } of crowd) socket.destroy();
    }
    assert.equal(await upload(person), 201);
    assert.deepEqual(logged, [], 'nothing has failed here');
  });

  test('every bucket ends slow uploads, forms too (RATE-1)', async () => {
    const person = await app.signIn();
    const folder = `/api/storage/documents/${await createOrganization(app, person)}`;
    const start = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc');
    const slow = [
      stall(person, { path: `${folder}/a`, type: 'text/plain' }),
      stall(person, { path: `${folder}/b`, type: 'multipart/form-data; boundary=x', start }),
    ];
    await waitUntil('both are given up', () => slow.every((one) => statusOf(one) === 408 && one.isClosed));
  });
});
