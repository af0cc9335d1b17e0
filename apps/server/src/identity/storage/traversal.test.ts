import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, suite, test } from 'node:test';
import sharp from 'sharp';
import { newId } from '../../platform/ids.ts';
import { useTestApp } from '../../testing/app.ts';
import { buildTenant } from '../../testing/tenant.ts';
import { useMade } from '../../testing/use-made.ts';

suite('path traversal (UPL-2)', () => {
  const app = useTestApp();
  const tenant = useMade(() => buildTenant(app.owner));
  const foreign = useMade(() => buildTenant(app.owner));
  const owner = useMade(() => app.signInMember(tenant.organizationId));
  let port: number;
  let png: Buffer;
  let own: string;
  let foreignName: string;

  before(async () => {
    port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port);
    png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const answer = await send('POST', `/api/storage/logos/clients/${tenant.clientId}`);
    own = (JSON.parse(answer.body) as { path: string }).path;
    const folder = join(app.services.config.dataDir, 'files/logos', foreign.organizationId);
    await mkdir(folder, { recursive: true });
    foreignName = `${newId()}.webp`;
    await writeFile(join(folder, foreignName), 'foreign');
    await writeFile(join(app.services.config.dataDir, 'secret.webp'), 'secret');
    await writeFile(join(app.services.config.dataDir, 'files/secret.webp'), 'secret');
  });

  /** Sends over a socket, since injected requests have normalized URLs. */
  async function send(method: 'GET' | 'POST' | 'DELETE', path: string) {
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: { ...owner.headers, ...(method === 'POST' ? { 'content-type': 'image/png' } : {}) },
    });
    outgoing.end(method === 'POST' ? png : undefined);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response) };
  }

  async function readAll(): Promise<[string, string][]> {
    const { dataDir } = app.services.config;
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    return await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async (entry) => {
          const path = join(entry.parentPath, entry.name);
          return [path, await readFile(path, 'base64')] as [string, string];
        }),
    );
  }

  const leadingOut = (rest: string) => [
    `../${rest}`,
    `../../${rest}`,
    `./../${rest}`,
    `..%2f${rest}`,
    `..%2F..%2F${rest}`,
    `%2e%2e/${rest}`,
    `%2e%2e%2f${rest}`,
    `.%2e/${rest}`,
    `%252e%252e%252f${rest}`,
    `%c0%ae%c0%ae/${rest}`,
    `%uff0e%uff0e/${rest}`,
    `%ef%bc%8e%ef%bc%8e/${rest}`,
    `..\\${rest}`,
    `..%5c${rest}`,
    `..%255c${rest}`,
    `....//${rest}`,
    `.../${rest}`,
    `..;/${rest}`,
    `/${rest}`,
    `//${rest}`,
    `/etc/passwd`,
    `%2fetc%2fpasswd`,
    `file:///etc/passwd`,
    `C:\\windows\\win.ini`,
    `%00${rest}`,
    `${rest}%00`,
    `${rest}%00.webp`,
    `${rest}%0a`,
    `${rest}.`,
    `${rest}/`,
    `${rest}::$DATA`,
  ];

  test('manipulated paths cannot reach any other file', async () => {
    const { organizationId, clientId } = tenant;
    const [name = ''] = own.split('/').slice(1);
    const earlier = await readAll();
    const corpus = [
      ...leadingOut('secret.webp'),
      ...leadingOut(`${foreign.organizationId}/${foreignName}`),
      ...leadingOut(own),
      ...leadingOut(`clients/${clientId}`),
    ].flatMap((path) => [
      `logos/${path}`,
      `logos/${organizationId}/${path}`,
      `logos/clients/${path}`,
      `logos%2f${path}`,
      `avatars/${path}`,
      `../${path}`,
    ]);
    corpus.push(
      `logos/${organizationId}/%2e%2e/${own}`,
      `logos/${own.replace('-', '%2d')}`,
      `%6cogos/${own}`,
      `logos/${organizationId}%2f${name}`,
      `logos/${organizationId}\\${name}`,
      `logos/${own.toUpperCase()}`,
      `LOGOS/${own}`,
    );
    for (const path of corpus) {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const { status, body } = await send(method, `/api/storage/${path}`);
        // 405 when the path is that of a list, 422 when it is that of a deletion of several files.
        assert.ok([400, 404, 405, 422].includes(status ?? 0), `${method} ${path}: ${status} ${body}`);
        assert.doesNotMatch(body, /secret|foreign|root:|ENOENT|files\//, path);
      }
    }
    assert.deepEqual(await readAll(), earlier);
    assert.equal((await send('GET', `/api/storage/logos/${own}`)).status, 200);
  });

  test('manipulated prefixes list no files', async () => {
    const { organizationId } = tenant;
    const prefixes = [
      '',
      '/',
      '.',
      '..',
      '/etc',
      organizationId.slice(0, 8),
      foreign.organizationId,
      newId(),
      ...leadingOut(foreign.organizationId),
      ...leadingOut(''),
      ...leadingOut(organizationId).filter((path) => path !== `${organizationId}/`),
    ].flatMap((prefix) => [prefix, `${organizationId}/${prefix}`]);
    // A trailing slash is the folder itself.
    const meant = [`${organizationId}/`];
    for (const prefix of prefixes.filter((each) => !meant.includes(each))) {
      for (const bucket of ['logos', 'avatars', '..', '%2e%2e']) {
        // Sent as it is: a single escape is decoded by the server.
        const { status, body } = await send('GET', `/api/storage/${bucket}?prefix=${prefix}`);
        assert.ok(status === 404 || status === 400, `${bucket} ${prefix}: ${status} ${body}`);
      }
    }
    const twice = await send(
      'GET',
      `/api/storage/logos?prefix=${organizationId}&prefix=${foreign.organizationId}`,
    );
    assert.equal(twice.status, 404);
    for (const prefix of [organizationId, `${organizationId}/`, `${organizationId}%2f`]) {
      const { status, body } = await send('GET', `/api/storage/logos?prefix=${prefix}`);
      assert.equal(status, 200);
      assert.equal((JSON.parse(body) as { items: { path: string }[] }).items[0]?.path, own);
    }
  });
});
