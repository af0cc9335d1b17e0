import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, suite, test } from 'node:test';
import sharp from 'sharp';
import { buckets, type Bucket } from '@reachout/contract/rules/storage.ts';
import { newId } from '../../platform/ids.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { buildTenant, type Tenant } from '../../testing/tenant.ts';
import { useMade } from '../../testing/use-made.ts';

suite('path traversal (UPL-2)', () => {
  const app = useTestApp();
  const tenant = useMade(() => buildTenant(app.owner));
  const foreign = useMade(() => buildTenant(app.owner));
  const owner = useMade(() => app.signInMember(tenant.organizationId));
  const stranger = useMade(() => app.signInMember(foreign.organizationId));
  let port: number;
  let png: Buffer;
  /** The path of a file in each bucket. */
  let own: Record<Bucket, string>;
  let others: Record<Bucket, string>;

  before(async () => {
    port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port);
    png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    own = await uploadAll(tenant, owner);
    others = await uploadAll(foreign, stranger);
    await writeFile(join(app.services.config.dataDir, 'secret.webp'), 'secret');
    await writeFile(join(app.services.config.dataDir, 'files/secret.webp'), 'secret');
  });

  /** Sends over a socket, since injected requests have normalized URLs. */
  async function send(method: 'GET' | 'POST' | 'DELETE', path: string, as: Person = owner) {
    const headers = { ...as.headers, ...(method === 'POST' ? { 'content-type': 'image/png' } : {}) };
    const outgoing = request({ port, host: '127.0.0.1', method, path: `/api/storage/${path}`, headers });
    outgoing.end(method === 'POST' ? png : undefined);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await text(response) };
  }

  async function uploadAll({ organizationId, clientId }: Tenant, as: Person): Promise<typeof own> {
    const upload = async (target: string) => {
      const { status, body } = await send('POST', target, as);
      assert.equal(status, 201, `${target} ${body}`);
      return (JSON.parse(body) as { path: string }).path;
    };
    return {
      avatars: await upload('avatars/me'),
      logos: await upload(`logos/clients/${clientId}`),
      images: await upload(`images/${organizationId}/a/b.png`),
      documents: await upload(`documents/${organizationId}/a/b.png`),
    };
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

  const ofFive = (name: string) => Array.from({ length: 5 }, () => encodeURIComponent(name)).join('/');
  /** Below the folder of an owner. */
  const noNames = [
    'a/..%2f..%2fb.png',
    'a%5cb.png',
    'a%2fb.png',
    'a%2Fb.png',
    'a/%62.png',
    'a/b%2epng',
    'A/b.png%00',
    'a/b.png%20',
    'a//b.png',
    '.hidden',
    'a/.hidden',
    'a..b',
    '%E2%80%AEgnp.exe',
    'u%CC%88.png',
    'a:b.png',
    'a;b.png',
    'a*b.png',
    'a%27b.png',
    'x'.repeat(201),
    '1/2/3/4/5/6',
    ofFive('字'.repeat(134)),
    '%ff.png',
    '%',
  ];

  for (const bucket of Object.keys(buckets) as Bucket[]) {
    const { isDrawn } = buckets[bucket];
    /** The folder of the owner, and the path in it. */
    const split = (path: string) => [path.slice(0, 36), path.slice(37)] as const;

    test(`manipulated paths reach no file in ${bucket}`, async () => {
      const mine = own[bucket];
      const [folder, name] = split(mine);
      const [foreignFolder] = split(others[bucket]);
      const earlier = await readAll();
      const corpus = [
        ...['secret.webp', others[bucket], mine, `clients/${tenant.clientId}`]
          .flatMap(leadingOut)
          .flatMap((path) => [
            `${bucket}/${path}`,
            `${bucket}/${folder}/${path}`,
            ...(bucket === 'logos' ? [`logos/clients/${path}`, `logos%2f${path}`, `../${path}`] : []),
          ]),
        ...noNames.map((path) => `${bucket}/${folder}/${path}`),
        `${bucket}/${others[bucket]}`,
        `${bucket}/${foreignFolder}/${name}`,
        `${bucket}/${folder}/%2e%2e/${mine}`,
        `${bucket}/${mine.replace('-', '%2d')}`,
        `%${bucket.charCodeAt(0).toString(16)}${bucket.slice(1)}/${mine}`,
        `${bucket}/${folder}%2f${name}`,
        `${bucket}/${folder}\\${name}`,
        `${bucket}/${mine.toUpperCase()}`,
        `${bucket.toUpperCase()}/${mine}`,
      ];
      for (const path of corpus) {
        for (const method of ['GET', 'POST', 'DELETE'] as const) {
          const { status, body } = await send(method, path);
          // 405 when the path is that of a list, 422 when it is that of a deletion of several files.
          const expected = method === 'DELETE' ? [400, 404, 405, 422] : [400, 404, 405];
          assert.ok(expected.includes(status), `${method} ${path}: ${status} ${body}`);
          assert.doesNotMatch(body, /secret|root:|ENOENT|files\//, path);
        }
      }
      assert.deepEqual(await readAll(), earlier);
      assert.equal((await send('GET', `${bucket}/${mine}`)).status, 200);
    });

    test(`manipulated prefixes list no files of ${bucket}`, async () => {
      const [folder] = split(own[bucket]);
      const [foreignFolder] = split(others[bucket]);
      const prefixes = [
        '',
        '/',
        '.',
        '..',
        '/etc',
        folder.slice(0, 8),
        foreignFolder,
        newId(),
        ...leadingOut(foreignFolder),
        ...leadingOut(''),
        ...leadingOut(folder).filter((path) => path !== `${folder}/`),
        ...noNames,
      ].flatMap((prefix) => [prefix, `${folder}/${prefix}`]);
      // A trailing slash is the folder itself.
      for (const prefix of prefixes.filter((each) => each !== `${folder}/`)) {
        for (const place of bucket === 'logos' ? ['logos', '..', '%2e%2e'] : [bucket]) {
          // Sent as it is: a single escape is decoded by the server.
          const { status, body } = await send('GET', `${place}?prefix=${prefix}`);
          // Where callers choose paths, any name is a folder, without files.
          const isFolder = !isDrawn && status === 200 && (JSON.parse(body) as { count: number }).count === 0;
          assert.ok(isFolder || status === 404 || status === 400, `${place} ${prefix}: ${status} ${body}`);
        }
      }
      const twice = await send('GET', `${bucket}?prefix=${folder}&prefix=${foreignFolder}`);
      assert.equal(twice.status, 404);
      for (const prefix of [folder, `${folder}/`, `${folder}%2f`]) {
        const { status, body } = await send('GET', `${bucket}?prefix=${prefix}`);
        assert.equal(status, 200);
        const { items } = JSON.parse(body) as { items: { path: string }[] };
        assert.ok(items.some(({ path }) => path === own[bucket]));
      }
    });

    if (!isDrawn)
      test(`paths in ${bucket} have up to five long segments`, async () => {
        const [folder] = split(own[bucket]);
        for (const longest of [ofFive('a'.repeat(200)), ofFive('字'.repeat(133))])
          assert.equal((await send('POST', `${bucket}/${folder}/${longest}`)).status, 201);
      });
  }
});
