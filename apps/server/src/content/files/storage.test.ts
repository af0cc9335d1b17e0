import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { before, beforeEach, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import sharp from 'sharp';
import { buckets, type Bucket, type BucketRules } from '@reachout/contract/rules/storage.ts';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import { setQuota } from '../../identity/organizations/quotas.ts';
import { removeFilesOf } from '../../identity/storage/remove-files.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { makeKeyOf, signInGuest } from '../../testing/actors.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildBrand, buildClient } from '../../sample/records.ts';
import { createOrganization, signInOwner } from '../../testing/create-organization.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, updateRows, getRow } from '../../testing/rows.ts';
import { countWaiting, letLocksWait } from '../../testing/wait-for-lock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { lockFiles } from './files.ts';
import { signFile } from './signed-file.ts';

interface Stored {
  bucket: Bucket;
  path: string;
  url: string;
  public_url: string | null;
}
interface Listed {
  items: { path: string; name: string; bytes: number; type: string; public_url: string | null }[];
  count: number;
}

const pdf = Buffer.from('%PDF-1.7 made for a test');

suite('file storage', () => {
  const app = useTestApp();
  let png: Buffer;
  let otherPng: Buffer;
  let owner: Person;
  let organizationId: string;

  before(async () => {
    await letLocksWait(app);
    const draw = (background: string) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .withExif({ IFD0: { Artist: 'A. Author' } })
        .png()
        .toBuffer();
    png = await draw('teal');
    otherPng = await draw('red');
  });
  beforeEach(async () => {
    ({ owner, organizationId } = await signInOwner(app));
  });

  async function ask(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    { as, payload, type, headers }: Ask = {},
  ) {
    const response = await app.app.inject({
      method,
      url: url.startsWith('/') ? url : `/api/storage/${url}`,
      headers: {
        ...as?.headers,
        ...headers,
        ...(payload === undefined ? {} : { 'content-type': type ?? 'application/octet-stream' }),
      },
      ...(payload === undefined ? {} : { payload }),
    });
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      bytes: response.rawPayload,
      body: (isJson ? response.json() : {}) as Problem & Stored & Listed,
    };
  }
  interface Ask {
    as?: Pick<Person, 'headers'>;
    payload?: Buffer | string | Readable;
    type?: string;
    headers?: Record<string, string>;
  }
  const put = (bucket: string, path: string, payload: Buffer | string, options: Ask = {}) =>
    ask('POST', `${bucket}/${organizationId}/${path}`, {
      as: owner,
      payload,
      type: bucket === 'images' ? 'image/png' : 'application/octet-stream',
      ...options,
    });
  const stored = async (bucket: string, path: string, payload: Buffer) => {
    const { status, body } = await put(bucket, path, payload);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const fileAt = (path: string) =>
    getRow(app.owner, 'content_files', ['id', 'bytes_id', 'title', 'brand_id'], {
      organization_id: organizationId,
      path,
    });
  const bytesKept = async () =>
    (await app.services.files.list(`content/${organizationId}`)).map(({ name }) => name);
  const sign = (path: string, { bucket = 'documents', expires_in = 3_600, as = owner } = {}) =>
    app.request<{ url: string; expires_at: string } & Problem>('POST', `/api/storage/${bucket}/signed_urls`, {
      as,
      body: { organization_id: organizationId, path, expires_in },
    });
  const open = (url: string, headers = {}) => ask('GET', new URL(url).pathname, { headers });

  test('an upload is found at its path, as it was sent', async () => {
    const { status, body } = await put('documents', 'offers/2026/Über uns.pdf', pdf);
    const path = `${organizationId}/offers/2026/Über uns.pdf`;
    const url = `/api/storage/documents/${organizationId}/offers/2026/%C3%9Cber%20uns.pdf`;
    assert.deepEqual([status, body], [201, { bucket: 'documents', path, url, public_url: null }]);
    const read = await ask('GET', url, { as: owner });
    assert.deepEqual(read.bytes, pdf);
    assert.match(String(read.headers['content-disposition']), /^attachment; .*%C3%9Cber%20uns\.pdf$/);
    const removed = await ask('DELETE', url, { as: owner });
    assert.deepEqual([removed.status, removed.body], [200, { bucket: 'documents', path }]);
    assert.equal((await ask('GET', url, { as: owner })).status, 404);
    assert.equal((await ask('DELETE', url, { as: owner })).status, 404);
    assert.deepEqual(await bytesKept(), []);
    const actions = await app.owner
      .selectFrom('audit_log')
      .select(['action', 'record_type', 'record_name'])
      .where('organization_id', '=', organizationId)
      .where('action', 'like', 'storage.%')
      .orderBy('at')
      .execute();
    assert.deepEqual(
      actions.map((entry) => Object.values(entry)),
      [
        ['storage.upload', 'content', 'Über uns.pdf'],
        ['storage.delete', 'content', 'Über uns.pdf'],
      ],
    );
  });

  test('a form that ends within its file is refused', async () => {
    const payload = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc';
    const key = await makeKeyOf(app, organizationId, owner.userId);
    const doors: [string, Pick<Person, 'headers'>][] = [
      [`/api/content/${organizationId}/files`, owner],
      [`/content/${organizationId}/files`, key],
    ];
    for (const [url, as] of doors) {
      const { status } = await ask('POST', url, { as, payload, type: 'multipart/form-data; boundary=x' });
      assert.equal(status, 400, url);
    }
  });

  for (const bucket of Object.keys(buckets) as Bucket[]) {
    const rules: BucketRules = buckets[bucket];
    /** No name and no declared type decides what a file is. */
    const targetIn = () =>
      ({
        avatars: 'avatars/me',
        logos: `logos/organizations/${organizationId}`,
        images: `images/${organizationId}/a.png.html?upsert=true`,
        documents: `documents/${organizationId}/a.png.html?upsert=true`,
      })[bucket];
    const send = (payload: Buffer | string | Readable, more: Ask = {}) =>
      ask('POST', targetIn(), {
        as: owner,
        payload,
        type: rules.types === undefined ? 'text/html' : 'image/x-whatever',
        ...more,
      });

    test(`what ${bucket} takes is private, and sent as what it is (UPL-1, UPL-2, TPL-5, TEN-12)`, async () => {
      const stranger = await app.signIn();
      for (const [type, bytes] of [
        ['image/png', png],
        ['application/pdf', pdf],
        ['image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
        ['application/octet-stream', Buffer.concat([Buffer.from('<script>alert(1)</script>'), png])],
      ] as const) {
        const { status, body } = await send(bytes);
        if (rules.types?.includes(type) === false) {
          assert.deepEqual([status, body.code], [422, 'invalid_image'], type);
          continue;
        }
        assert.equal(status, 201, JSON.stringify(body));
        const read = await ask('GET', body.url, { as: owner, headers: { 'accept-encoding': 'gzip' } });
        if (rules.isDrawn) assert.equal(read.bytes.subarray(8, 12).toString(), 'WEBP');
        else assert.deepEqual(read.bytes, bytes);
        const { etag = '', 'content-disposition': disposition = 'none', ...headers } = read.headers;
        assert.match(disposition, rules.isDrawn ? /^none$/ : rules.isShown ? /^inline/ : /^attachment/);
        assert.deepEqual(
          [
            'content-type',
            'x-content-type-options',
            'content-security-policy',
            'cross-origin-resource-policy',
            'cache-control',
            'set-cookie',
          ].map((name) => headers[name]),
          [
            rules.isDrawn ? 'image/webp' : type,
            'nosniff',
            "sandbox; default-src 'none'",
            'same-origin',
            rules.isDrawn ? 'private, max-age=86400' : 'private, no-cache',
            undefined,
          ],
        );
        const again = { 'if-none-match': etag };
        const unchanged = await ask('GET', body.url, { as: owner, headers: again });
        assert.deepEqual([unchanged.status, unchanged.bytes.length], [304, 0]);
        for (const [as, refused] of [
          [{ headers: {} }, 401],
          [stranger, 404],
        ] as const) {
          const answer = await ask('GET', body.url, { as, headers: again });
          assert.deepEqual([answer.status, answer.headers['cache-control']], [refused, 'no-store']);
        }
      }
    });

    test(`${bucket} takes no file that is empty, too large, or sent in another way (UPL-1)`, async () => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(png)]), 'x');
      assert.equal((await owner.request('POST', `/api/storage/${targetIn()}`, form)).status, 201);
      const refuse = async (sent: ReturnType<typeof send>, status: number, code: string) => {
        const answer = await sent;
        assert.deepEqual([answer.status, answer.body.code], [status, code]);
      };
      await refuse(send(''), 422, 'invalid_input');
      const tooLarge = rules.isDrawn ? 'image_too_large' : 'file_too_large';
      await refuse(send(Buffer.concat([png, Buffer.alloc(rules.maxBytes)])), 413, tooLarge);
      let sentBytes = 0;
      const endless = Readable.from(
        (function* () {
          for (; sentBytes < 100_000_000; sentBytes += 100_000) yield Buffer.alloc(100_000);
        })(),
      );
      await refuse(send(endless), 413, tooLarge);
      assert.ok(sentBytes < 2 * rules.maxBytes, `${sentBytes} bytes were taken`);
      await refuse(send(png, { type: 'multipart/form-data; boundary=x' }), 400, 'bad_request');
      const half = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc';
      await refuse(send(half, { type: 'multipart/form-data; boundary=x' }), 400, 'bad_request');
      const headers = { 'content-encoding': 'gzip' };
      await refuse(send(gzipSync(png), { headers }), 415, 'unsupported_media_type');
      if (rules.types === undefined) return;
      for (const type of ['text/html', 'application/json'])
        await refuse(send(png, { type }), 415, 'unsupported_media_type');
    });
  }

  test('there are no other buckets', async () => {
    const unknown = { as: owner, payload: png, type: 'image/png' };
    for (const bucket of ['others', 'constructor', 'Images', '__proto__'])
      assert.equal((await ask('POST', `${bucket}/${organizationId}/a.png`, unknown)).status, 404, bucket);
  });

  test('a taken path is replaced only on request', async () => {
    await stored('documents', 'a/b.pdf', pdf);
    const again = await put('documents', 'a/b.pdf', 'another');
    assert.deepEqual([again.status, again.body.code], [409, 'name_taken']);
    assert.equal((await bytesKept()).length, 1, 'nothing is left');
    assert.equal((await put('documents', 'a/b.pdf?upsert=yes', 'another')).status, 422);
    assert.equal((await put('documents', 'a/b.pdf?upsert=true', 'another')).status, 201);
    const read = await ask('GET', `documents/${organizationId}/a/b.pdf`, { as: owner });
    assert.equal(read.bytes.toString(), 'another');
    assert.equal((await bytesKept()).length, 1);
    // The same path in another bucket is another file.
    await stored('images', 'a/b.pdf', png);
    const racing = await Promise.all(
      Array.from({ length: 6 }, (_, n) => put('documents', 'race.txt', `Number ${n}`)),
    );
    assert.deepEqual(
      racing.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409, 409, 409, 409],
    );
  });

  test('images become public on request, others cannot', async () => {
    const { status, body } = await put('images', 'header.png?public=true', png);
    assert.equal(status, 201, JSON.stringify(body));
    const seen = await open(body.public_url!);
    assert.deepEqual([seen.status, seen.headers['content-type']], [200, 'image/png']);
    assert.ok(png.includes('A. Author') && !seen.bytes.includes('A. Author'), 'it is drawn anew');
    const replaced = await put('images', 'header.png?upsert=true', otherPng);
    assert.equal(replaced.body.public_url, body.public_url, 'emails that were sent show the new image');
    const drawn = await sharp((await open(body.public_url!)).bytes)
      .raw()
      .toBuffer();
    assert.ok(drawn[0]! > 200, 'it is red');
    const ended = await put('images', 'header.png?upsert=true&public=false', png);
    assert.equal(ended.body.public_url, null);
    assert.equal((await open(body.public_url!)).status, 404);
    // Smaller than 5 MB only because it was compressed more than a drawing is.
    const side = 3_200;
    const noise = await sharp(randomBytes(side * side * 3), {
      raw: { width: side, height: side, channels: 3 },
    })
      .jpeg({ quality: 50 })
      .toBuffer();
    assert.ok(noise.length < 5_000_000);
    const fails = [
      await put('documents', 'a.pdf?public=true', pdf),
      await put('images', 'damaged.png?public=true', png.subarray(0, 60)),
      await put('images', 'large.png?public=true', Buffer.concat([png, Buffer.alloc(5_000_000)])),
      await put('images', 'noise.jpg?public=true', noise),
      await put('images', `brand.png?brand_id=${newId()}`, png),
    ];
    for (const { status: refused, body: problem } of fails) assert.equal(refused, 422, problem.code);
    assert.deepEqual(
      [fails[0]?.body, fails[2]?.body].map((problem) => problem?.errors?.[0]?.path),
      ['public', 'public'],
    );
    assert.equal((await bytesKept()).length, 1, 'nothing is left');
  });

  test('a replaced file keeps its id, and nobody gets the former bytes', async () => {
    await stored('images', 'a.png', png);
    const { id } = await fileAt('a.png');
    const { token } = await makeKeyOf(app, organizationId, owner.userId);
    const doors = [
      [`/api/content/${organizationId}/assets/${id}`, owner.headers],
      [`/api/storage/images/${organizationId}/a.png`, owner.headers],
      [`/content/${organizationId}/assets/${id}`, { authorization: `Bearer ${token}` }],
    ] as const;
    const read = async (revalidates: boolean) =>
      await Promise.all(
        doors.map(async ([url, headers], at) => {
          const etag = revalidates ? etags[at] : undefined;
          return await ask('GET', url, { headers: { ...headers, ...(etag && { 'if-none-match': etag }) } });
        }),
      );
    let etags: (string | undefined)[] = [];
    const former = await read(false);
    for (const { bytes } of former) assert.deepEqual(bytes, png);
    etags = former.map(({ headers }) => headers['etag']);
    assertColumn(await read(true), 'status', [304, 304, 200]);
    assert.equal((await put('images', 'a.png?upsert=true', otherPng)).status, 201);
    assert.equal((await fileAt('a.png')).id, id);
    for (const { status, bytes, headers } of await read(true)) {
      assert.deepEqual([status, bytes], [200, otherPng]);
      assert.match(String(headers['cache-control']), /no-cache|no-store/);
    }
    assert.equal((await bytesKept()).length, 1, 'the former bytes are removed');
    await owner.ok('DELETE', `/api/content/${organizationId}/files/${id}`);
    assert.deepEqual(await bytesKept(), []);
  });

  test('a replacement follows a change of who sees the image', async () => {
    const change = (id: string, is_public: boolean) =>
      owner.request('PATCH', `/api/content/${organizationId}/files/${id}`, { is_public });
    const replaceDuring = async (isPublic: boolean) => {
      await put('images', `a.png?upsert=true&public=${isPublic}`, png);
      const { id } = await fileAt('a.png');
      const { replaced } = await app.owner.transaction().execute(async (trx) => {
        // It is drawn, and its row is not replaced yet.
        await lockFiles(trx, organizationId);
        const waiting = put('images', 'a.png?upsert=true', otherPng);
        await waitUntil('it waits', async () => (await countWaiting(app.owner)) === 1);
        assert.equal((await change(id, !isPublic)).status, 200);
        return { replaced: waiting };
      });
      return await replaced;
    };
    const hidden = await replaceDuring(true);
    assert.deepEqual([hidden.status, hidden.body.public_url], [201, null], 'it stays private');
    const shown = await replaceDuring(false);
    assert.deepEqual([shown.status, shown.body.code], [409, 'changed_elsewhere']);
  });

  test('an image that is replaced while it is made public stays private', async (t) => {
    await put('images', 'a.png', png);
    const { id } = await fileAt('a.png');
    const path = `/api/content/${organizationId}/files/${id}`;
    const { files } = app.services;
    const read = files.read.bind(files);
    const mocked = t.mock.method(files, 'read', async (key: string): Promise<Buffer | undefined> => {
      mocked.mock.restore();
      await put('images', 'a.png?upsert=true', otherPng);
      return await read(key);
    });
    const askFor = (method: 'GET' | 'PATCH', more: object = {}) =>
      app.request<ContentFile & Problem>(method, path, { as: owner, ...more });
    assertProblem(await askFor('PATCH', { body: { is_public: true } }), 409, 'changed_elsewhere');
    assert.equal((await askFor('GET')).body.public_url, null);
    assert.equal((await askFor('PATCH', { body: { is_public: true } })).status, 200);
  });

  test('a file that is being replaced is made private or deleted', async () => {
    await put('images', 'a.png?public=true', png);
    const { id } = await fileAt('a.png');
    const path = `/api/content/${organizationId}/files/${id}`;
    /** Asks while the row is changed, but not committed. */
    const askDuring = async (work: () => Promise<{ status: number }>) => {
      const answers = await app.owner.transaction().execute(async (trx) => {
        await sql`lock table audit_log in share mode`.execute(trx);
        const replacing = put('images', 'a.png?upsert=true', otherPng);
        await waitUntil('its entry waits', async () => (await countWaiting(app.owner)) === 1);
        const asked = work();
        await waitUntil('both wait', async () => (await countWaiting(app.owner)) === 2);
        return { both: [replacing, asked] };
      });
      const [replaced, asked] = await Promise.all(answers.both);
      assert.deepEqual([replaced?.status, asked?.status], [201, 200]);
    };
    await askDuring(() => owner.request('PATCH', path, { is_public: false }));
    const body = await owner.ok<ContentFile>('GET', path);
    assert.equal(body.public_url, null);
    await askDuring(() => owner.request('DELETE', path));
    assert.deepEqual(await bytesKept(), []);
    assert.equal((await owner.request('GET', path)).status, 404);
  });

  test('a file that is replaced while it is read is still found', async (t) => {
    const { url } = await stored('documents', 'a.txt', pdf);
    const { body } = await put('images', 'a.png?public=true', png);
    const { files } = app.services;
    /** Responds to a reader whose file is replaced after its row was found. */
    const readDuring = async (address: string, replace: () => Promise<unknown>) => {
      const read = files.read.bind(files);
      const mocked = t.mock.method(files, 'read', async (key: string): Promise<Buffer | undefined> => {
        mocked.mock.restore();
        await replace();
        return await read(key);
      });
      return await ask('GET', address, { as: owner });
    };
    const other = await readDuring(url, () => put('documents', 'a.txt?upsert=true', 'another'));
    assert.deepEqual([other.status, other.bytes.toString()], [200, 'another']);
    const publicPath = new URL(body.public_url!).pathname;
    const image = await readDuring(publicPath, () => put('images', 'a.png?upsert=true', otherPng));
    assert.equal(image.status, 200);
  });

  test('a list shows a folder and what is below it, page by page', async () => {
    for (const path of ['a/1.txt', 'a/2.txt', 'a/b/3.txt', 'ab/4.txt', '5.txt'])
      await stored('documents', path, Buffer.from(path));
    const list = async (query: string) => {
      const { status, body } = await ask('GET', `documents?prefix=${organizationId}${query}`, { as: owner });
      assert.equal(status, 200, JSON.stringify(body));
      return [body.count, ...body.items.map(({ path }) => path.slice(organizationId.length + 1))];
    };
    assert.deepEqual(await list('/a'), [3, 'a/1.txt', 'a/2.txt', 'a/b/3.txt']);
    assert.deepEqual(await list('/a/'), await list('/a'));
    assert.deepEqual(await list('/a/b'), [1, 'a/b/3.txt']);
    assert.deepEqual(await list('/nothing'), [0]);
    assert.deepEqual(await list('&page_size=2&page=1'), [5, 'a/2.txt', 'a/b/3.txt']);
    assert.deepEqual(await list('&search=4.TXT'), [1, 'ab/4.txt']);
    const { body } = await ask('GET', `documents?prefix=${organizationId}/ab`, { as: owner });
    const { updated_at: at, ...item } = body.items[0] as Listed['items'][number] & { updated_at: string };
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 600_000);
    assert.deepEqual(item, {
      path: `${organizationId}/ab/4.txt`,
      name: '4.txt',
      bytes: 8,
      type: 'application/octet-stream',
      public_url: null,
    });
    for (let n = 0; n < 7; n += 1) await stored('documents', `more/${n}.txt`, pdf);
    assert.equal((await list('')).length, 11, 'ten and the count');
    assert.equal(
      (await ask('GET', `documents?prefix=${organizationId}&page_size=0`, { as: owner })).status,
      422,
    );
    assert.equal((await ask('GET', 'documents', { as: owner })).status, 404);
  });

  test('several files are deleted, all or none', async () => {
    const paths = ['a.txt', 'b/c.txt', 'd.txt'].map((path) => `${organizationId}/${path}`);
    for (const path of ['a.txt', 'b/c.txt', 'd.txt']) await stored('documents', path, pdf);
    const remove = (given: string[]) =>
      owner.request('DELETE', '/api/storage/documents', { organization_id: organizationId, paths: given });
    const empty = await remove([]);
    assertProblem(empty, 422, 'invalid_input');
    assert.equal(empty.body.errors?.[0]?.message, 'Keys cannot be empty');
    assertProblem(await remove([...paths, `${organizationId}/missing`]), 404, 'not_found');
    assertProblem(await remove([paths[0]!, `${newId()}/a.txt`]), 404, 'not_found');
    assertProblem(
      await remove(Array.from({ length: 101 }, (_, n) => `${organizationId}/${n}`)),
      422,
      'invalid_input',
    );
    assert.equal((await bytesKept()).length, 3);
    assert.equal((await remove(paths.slice(0, 2))).status, 200);
    assert.equal((await bytesKept()).length, 1);
    const { body } = await ask('GET', `documents?prefix=${organizationId}`, { as: owner });
    assertColumn(body.items, 'path', [paths[2]]);
  });

  test('a signed address opens a private file until it ends', async () => {
    const { path, url } = await stored('documents', 'offer.pdf', pdf);
    const { status, body } = await sign(path);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(Math.abs(Date.parse(body.expires_at) - Date.now() - 3_600_000) < 60_000);
    const opened = await open(body.url);
    assert.deepEqual(opened.bytes, pdf);
    assert.deepEqual(
      ['cache-control', 'content-security-policy', 'cross-origin-resource-policy'].map(
        (name) => opened.headers[name],
      ),
      ['no-store', "sandbox; default-src 'none'", 'same-origin'],
    );
    assert.match(String(opened.headers['content-disposition']), /^attachment/);
    const picture = await stored('images', 'a.png', png);
    const shown = await open((await sign(picture.path, { bucket: 'images' })).body.url);
    assert.match(String(shown.headers['content-disposition']), /^inline/);

    // Forged: each part changed, a token of another key, and one of another organization.
    const token = body.url.split('/').at(-1)!;
    const parts = token.split('.');
    for (const [index, other] of [newId(), newId(), 'zzzzzzz', 'x'.repeat(43)].entries()) {
      const forged = parts.with(index, other).join('.');
      assert.equal((await ask('GET', `signed/${forged}`)).status, 404, forged);
    }
    for (const bad of ['x', `${token}x`, '%00', token.toUpperCase()])
      assert.equal((await ask('GET', `signed/${bad}`)).status, 404, bad);
    const row = await fileAt('offer.pdf');
    const expiring = (seconds: number) =>
      signFile(app.services.secrets, {
        organizationId,
        bytesId: row.bytes_id,
        expiresAt: new Date(Date.now() + seconds * 1_000),
      });
    assert.equal((await ask('GET', `signed/${expiring(60)}`)).status, 200);
    assert.equal((await ask('GET', `signed/${expiring(-1)}`)).status, 404, 'expired');
    for (const expires_in of [0, 59, 7 * 86_400 + 1])
      assertProblem(await sign(path, { expires_in }), 422, 'invalid_input');
    for (const unknown of [`${organizationId}/x`, `${newId()}/offer.pdf`, '../offer.pdf', 'offer.pdf'])
      assertProblem(await sign(unknown), 404, 'not_found');

    for (const change of [{ status: 'suspended' }, { status: 'inactive' }, { deleted: true }] as const) {
      await updateRows(app.owner, 'organizations', { id: organizationId }, change);
      assert.equal((await open(body.url)).status, 404, JSON.stringify(change));
      const back = { status: 'active', deleted: false } as const;
      await updateRows(app.owner, 'organizations', { id: organizationId }, back);
    }
    assert.equal((await open(body.url)).status, 200);
    assert.equal((await put('documents', 'offer.pdf?upsert=true', 'another')).status, 201);
    assert.equal((await open(body.url)).status, 404, 'replaced');
    const next = (await sign(path)).body.url;
    assert.equal((await open(next)).status, 200);
    assert.equal((await ask('DELETE', url, { as: owner })).status, 200);
    assert.equal((await open(next)).status, 404, 'deleted');
  });

  test('uploads at the same time cannot pass the quota (RATE-3)', async () => {
    await setQuota(app.services.db, organizationId, 'file_megabytes', 3);
    const sent = await Promise.all(
      Array.from({ length: 6 }, (_, n) => put('documents', `${n}.bin`, Buffer.alloc(900_000))),
    );
    assert.deepEqual(
      sent.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 201, 201, 409, 409, 409],
    );
    const refused = sent.find(({ status }) => status === 409)!.body;
    assert.equal(refused.code, 'quota_exceeded');
    assert.deepEqual(refused.data, { quota: 'file_megabytes', limit: 3, used: 3 });
    assert.match(refused.detail, /3 of 3 MB, and this one has 1 MB/);
    assert.equal((await bytesKept()).length, 3, 'nothing is left');
    // Both doors count the same files; a smaller file still fits, and so does a replacement.
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(400_000)]), 'x.bin');
    const library = await owner.request('POST', `/api/content/${organizationId}/files`, form);
    assertProblem(library, 409, 'quota_exceeded');
    assert.equal((await put('documents', 'small.bin', Buffer.alloc(200_000))).status, 201);
    const first = sent.findIndex(({ status }) => status === 201);
    assert.equal((await put('documents', `${first}.bin?upsert=true`, Buffer.alloc(900_000))).status, 201);
    const { items } = await owner.ok<{ items: { quota: string; used: number; limit: number }[] }>(
      'GET',
      `/api/organizations/${organizationId}/quotas`,
    );
    assert.deepEqual(
      items.find(({ quota }) => quota === 'file_megabytes'),
      { quota: 'file_megabytes', limit: 3, used: 3 },
    );
  });

  test('a signed address opens nothing while a Directus is connected', async () => {
    const { path } = await stored('documents', 'offer.pdf', pdf);
    const { body } = await sign(path);
    const connection = { organization_id: organizationId };
    await insertRows(app.owner, 'organization_directus', {
      ...connection,
      endpoint: 'https://cms.example',
      access_token: 'sealed',
      state: 'connected',
    });
    assert.equal((await open(body.url)).status, 404);
    await deleteRows(app.owner, 'organization_directus', connection);
    assert.equal((await open(body.url)).status, 200);
  });

  test('an upload is counted by those that end after it (RATE-3)', async () => {
    await setQuota(app.services.db, organizationId, 'file_megabytes', 1);
    const sent = await app.owner.transaction().execute(async (trx) => {
      // Neither can commit, so that both are being stored.
      await sql`lock table audit_log in share mode`.execute(trx);
      const both = ['a.bin', 'b.bin'].map((path) => put('documents', path, Buffer.alloc(600_000)));
      await waitUntil('both wait', async () => (await countWaiting(app.owner)) === 2);
      return both;
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [201, 409],
    );
  });

  test('files need permission for the content, from members and keys', async () => {
    const { url, path } = await stored('documents', 'a.pdf', pdf);
    const analyst = await app.signInMember(organizationId, 'analyst');
    const client = await buildClient(app.owner, { organization_id: organizationId });
    const guest = await signInGuest(app, organizationId, [client.id]);
    const stranger = await app.signIn();
    const prefix = `documents?prefix=${organizationId}`;
    const post = (as?: Person) =>
      ask('POST', `documents/${organizationId}/b.pdf`, { ...(as && { as }), payload: pdf });
    const library = `/api/content/${organizationId}`;
    const { id } = await fileAt('a.pdf');
    const postForm = (as?: Person) => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(pdf)]), 'b.pdf');
      return app.request('POST', `${library}/files`, { as, body: form });
    };
    const table: [Person | undefined, number[]][] = [
      [undefined, [401, 401, 401, 401, 401, 401]],
      [stranger, [404, 404, 404, 404, 404, 404]],
      [guest, [403, 403, 403, 403, 403, 403]],
      [analyst, [200, 200, 200, 403, 403, 403]],
    ];
    for (const [as, statuses] of table) {
      const given = as === undefined ? {} : { as };
      const answers = [
        await ask('GET', url, given),
        await ask('GET', prefix, given),
        await ask('GET', `${library}/assets/${id}`, given),
        await post(as),
        await postForm(as),
        await ask('DELETE', url, given),
      ];
      assertColumn(answers, 'status', statuses);
    }
    assertProblem(await sign(path, { as: guest }), 403, 'forbidden');
    assertProblem(await sign(path, { as: stranger }), 404, 'not_found');
    assert.equal((await sign(path, { as: analyst })).status, 200);

    const key = await makeKeyOf(app, organizationId, owner.userId);
    assert.equal((await post(key as Person)).status, 201);
    assert.equal((await ask('GET', prefix, { as: key })).body.count, 2);
    const otherId = await createOrganization(app, owner);
    for (const other of [`documents/${otherId}/a.pdf`, `documents?prefix=${otherId}`])
      assert.equal((await ask('GET', other, { as: key })).status, 404);
    await updateRows(app.owner, 'organizations', { id: organizationId }, { status: 'suspended' });
    assert.equal((await post(owner)).body.code, 'organization_suspended');
    assert.equal((await ask('GET', url, { as: owner })).status, 200);
  });

  test('the file library and the storage show the same files', async () => {
    const brand = await buildBrand(app.owner, { organization_id: organizationId });
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(png)]), '../Große  Nacht?.png');
    const file = await owner.ok<ContentFile>('POST', `/api/content/${organizationId}/files`, form);
    assert.deepEqual([file.bucket, file.path], ['images', `${file.id}/Große  Nacht_.png`]);
    const { body: listed } = await ask('GET', `images?prefix=${organizationId}/${file.id}`, { as: owner });
    assertColumn(listed.items, 'path', [`${organizationId}/${file.path}`]);
    const added = await put('images', `news/a.png?brand_id=${brand.id}`, png);
    assert.equal(added.status, 201);
    const body = await owner.ok<{ items: ContentFile[] }>(
      'GET',
      `/api/content/${organizationId}/files?brand_id=${brand.id}`,
    );
    assert.deepEqual(
      body.items.map(({ filename_download: name, path }) => [name, path]),
      [['a.png', 'news/a.png']],
    );
    await updateRows(app.owner, 'content_files', { path: 'news/a.png' }, { title: 'News' });
    assert.equal((await put('images', 'news/a.png?upsert=true', otherPng)).status, 201);
    const { title, brand_id } = await fileAt('news/a.png');
    assert.deepEqual([title, brand_id], ['News', brand.id]);
    await removeFilesOf(app.services.files, { organizationId });
    assert.deepEqual(await bytesKept(), []);
  });
});
