import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import { maxFileBytes } from '@reachout/contract/rules/storage.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { FileStoreFailure } from '../../platform/files/file-store.ts';
import { newId } from '../../platform/ids.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { useTestApp } from '../../testing/app.ts';
import { createOrganization } from '../../testing/create-organization.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { useWorld } from '../../testing/world.ts';
import { buildBrand } from '../../sample/records.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

suite('files of an organization', () => {
  const app = useTestApp();
  const { owner, organizationId, base } = useWorld(app);

  let listening: Promise<string> | undefined;
  /** @returns the port */
  const listen = async () => {
    listening ??= app.app.listen({ host: '127.0.0.1', port: 0 });
    return Number(new URL(await listening).port);
  };
  const upload = (bytes: Buffer, name: string, as = owner, { part = 'file', query = '' } = {}) => {
    const form = new FormData();
    form.append(part, new Blob([new Uint8Array(bytes)]), name);
    return as.request<ContentFile & Problem>('POST', `${base}/files${query}`, form);
  };
  const get = (path: string, as = owner, headers = {}) =>
    app.app.inject({ method: 'GET', url: `${base}${path}`, headers: { ...as.headers, ...headers } });
  const list = async (query = '') => {
    const { items } = (await get(`/files${query}`)).json<{ items: ContentFile[] }>();
    return items.map((file) => file.filename_download);
  };

  test('readers of emails can load public images only', async () => {
    const { body: image } = await upload(png, 'Header.png');
    assert.equal(image.public_url, null);
    const change = (id: string, is_public: boolean) =>
      owner.request<ContentFile>('PATCH', `${base}/files/${id}`, { is_public });
    const published = await change(image.id, true);
    const address = new URL(published.body.public_url!);
    assert.match(address.pathname, /^\/i\/[\w-]{22}$/);
    assert.equal((await change(image.id, true)).body.public_url, address.href, 'it keeps its address');
    const read = (path: string) => app.app.inject({ method: 'GET', url: path });
    const seen = await read(address.pathname);
    assert.equal(seen.statusCode, 200);
    assert.equal((await sharp(seen.rawPayload).metadata()).width, 1);
    const { headers } = seen;
    assert.deepEqual(
      [headers['content-type'], headers['cache-control'], headers['x-content-type-options']],
      ['image/png', 'public, max-age=3600', 'nosniff'],
    );
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    const unknown = `/i/${'x'.repeat(22)}`;
    for (const path of [unknown, `/i/${image.id}`, `${address.pathname}x`, '/i/%00'])
      assert.equal((await read(path)).statusCode, 404, path);

    const { body: drawing } = await upload(Buffer.from('<svg/>'), 'drawing.svg');
    assertProblem(await change(drawing.id, true), 422, 'invalid_input');
    const { body: large } = await upload(Buffer.concat([png, Buffer.alloc(5_000_000)]), 'large.png');
    assertProblem(await change(large.id, true), 422, 'invalid_input');

    assert.equal((await change(image.id, false)).body.public_url, null);
    assert.equal((await read(address.pathname)).statusCode, 404);
    const again = new URL((await change(image.id, true)).body.public_url!);
    assert.notEqual(again.pathname, address.pathname, 'what was taken back stays so');
    for (const { id } of [image, drawing, large])
      assert.equal((await owner.request('DELETE', `${base}/files/${id}`)).status, 200);
    assert.equal((await read(again.pathname)).statusCode, 404);
  });

  const metadataOf = { exif: { IFD0: { Artist: 'A. Author', Orientation: '6' } } };
  const draw = () =>
    sharp({ create: { width: 40, height: 20, channels: 3, background: { r: 200, g: 30, b: 30 } } });
  const withMetadata: [type: string, make: () => Promise<Buffer>, size: [number, number, number]][] = [
    ['png', () => draw().withExif(metadataOf.exif).png().toBuffer(), [40, 20, 1]],
    [
      'jpeg',
      async () => {
        const wide = await draw().withIccProfile('p3').jpeg().toBuffer();
        return await sharp(wide)
          .keepIccProfile()
          .withMetadata({ ...metadataOf, orientation: 6 })
          .jpeg()
          .toBuffer();
      },
      [20, 40, 1],
    ],
    ['webp', () => draw().withExif(metadataOf.exif).webp().toBuffer(), [40, 20, 1]],
    ['avif', () => draw().withExif(metadataOf.exif).avif().toBuffer(), [40, 20, 1]],
    [
      'gif',
      async () => {
        const frame = await draw().png().toBuffer();
        const other = await draw().negate().png().toBuffer();
        const gif = await sharp([frame, other], { join: { animated: true } })
          .gif()
          .toBuffer();
        // A comment before the first frame.
        const at = 13 + 3 * 2 ** ((gif[10]! & 7) + 1);
        const comment = Buffer.from('A. Author');
        return Buffer.concat([
          gif.subarray(0, at),
          Buffer.from([0x21, 0xfe, comment.length]),
          comment,
          Buffer.from([0]),
          gif.subarray(at),
        ]);
      },
      [40, 20, 2],
    ],
  ];
  for (const [type, make, size] of withMetadata) {
    test(`public images of type ${type} contain no metadata (UPL-1)`, async () => {
      const original = await make();
      assert.ok(original.includes('A. Author'), 'the test has metadata');
      const { body: file } = await upload(original, `photo.${type}`);
      assert.equal(file.type, `image/${type}`);
      const body = await owner.ok<ContentFile>('PATCH', `${base}/files/${file.id}`, { is_public: true });
      const { rawPayload: seen, headers } = await app.app.inject({
        method: 'GET',
        url: new URL(body.public_url!).pathname,
      });
      assert.equal(headers['content-type'], `image/${type}`);
      assert.ok(!seen.includes('A. Author') && !seen.includes('Exif'));
      const { width, height, pageHeight, pages = 1, exif, icc, orientation } = await sharp(seen).metadata();
      assert.deepEqual([width, pageHeight ?? height, pages], size);
      assert.deepEqual([exif, icc, orientation], [undefined, undefined, undefined]);
      // Members still have the file as it was.
      assert.deepEqual((await get(`/assets/${file.id}`)).rawPayload, original);
      await owner.ok('DELETE', `${base}/files/${file.id}`);
    });
  }

  test('files can be uploaded, found, shown, renamed and deleted', async () => {
    const { status, body: file } = await upload(png, 'Dot.png');
    assert.deepEqual([status, file.type, file.filesize], [201, 'image/png', png.length]);
    await upload(Buffer.from('<svg onload="alert(1)"/>'), 'drawing.svg');
    assert.deepEqual(await list(), ['drawing.svg', 'Dot.png']);
    assert.deepEqual(await list('?kind=image'), ['Dot.png']);
    assert.deepEqual(await list('?search=DOT'), ['Dot.png']);
    assert.deepEqual(await list('?order=filesize.desc&page_size=1'), ['Dot.png']);

    const shown = await get(`/assets/${file.id}`);
    assert.deepEqual(shown.rawPayload, png);
    assert.deepEqual(
      ['content-type', 'cache-control'].map((name) => shown.headers[name]),
      ['image/png', 'private, no-cache'],
    );
    assert.match(String(shown.headers['content-disposition']), /^inline/);
    const again = await get(`/assets/${file.id}`, owner, { 'if-none-match': shown.headers.etag });
    assert.equal(again.statusCode, 304);

    const path = `${base}/files/${file.id}`;
    const renamed = await owner.request<ContentFile>('PATCH', path, { filename_download: '../a/Point.png' });
    assert.equal(renamed.body.filename_download, '..aPoint.png');
    const saved = await get(`/assets/${file.id}?download`);
    assert.equal(saved.headers['content-disposition'], "attachment; filename*=UTF-8''..aPoint.png");

    await owner.ok('DELETE', path);
    assert.equal((await get(`/assets/${file.id}`)).statusCode, 404);
    assertProblem(await owner.request('DELETE', path), 404, 'not_found');
    assert.equal((await app.services.files.list(`content/${organizationId}`)).length, 1);
  });

  test('a brand has a library among the files of the organization', async () => {
    const brand = await buildBrand(app.owner, { organization_id: organizationId });
    const { body: header } = await upload(png, 'Header.png', owner, { query: `?brand_id=${brand.id}` });
    assert.equal(header.brand_id, brand.id);
    const { body: footer } = await upload(png, 'Footer.png');
    assert.equal(footer.brand_id, null);
    const ofBrand = () => list(`?brand_id=${brand.id}&order=filename_download.asc`);
    assert.deepEqual(await ofBrand(), ['Header.png']);
    const change = (brand_id: string | null) =>
      owner.request<ContentFile>('PATCH', `${base}/files/${footer.id}`, { brand_id });
    assert.equal((await change(brand.id)).body.brand_id, brand.id);
    assert.deepEqual(await ofBrand(), ['Footer.png', 'Header.png']);
    assert.equal((await change(null)).body.brand_id, null);
    assert.deepEqual(await ofBrand(), ['Header.png']);

    await app.owner.deleteFrom('brands').where('id', '=', brand.id).execute();
    assert.equal((await get(`/files/${header.id}`)).json<ContentFile>().brand_id, null);
    for (const { id } of [header, footer])
      assert.equal((await owner.request('DELETE', `${base}/files/${id}`)).status, 200);
  });

  test('files of unknown, deleted and foreign brands are refused', async () => {
    const { body: file } = await upload(png, 'Header.png');
    const stored = await app.services.files.list(`content/${organizationId}`);
    const stranger = await app.signIn();
    const foreign = await buildBrand(app.owner, { organization_id: await createOrganization(app, stranger) });
    const deleted = await buildBrand(app.owner, { organization_id: organizationId, deleted: true });
    for (const brand_id of [foreign.id, deleted.id, newId(), 'x']) {
      const query = `?brand_id=${brand_id}`;
      assertProblem(await upload(png, 'x.png', owner, { query }), 422, 'invalid_input');
      const path = `${base}/files/${file.id}`;
      assertProblem(await owner.request('PATCH', path, { brand_id }), 422, 'invalid_input');
    }
    assert.deepEqual(await list(`?brand_id=${foreign.id}`), []);
    assert.deepEqual(await app.services.files.list(`content/${organizationId}`), stored, 'nothing is left');
    await owner.ok('DELETE', `${base}/files/${file.id}`);
  });

  test('uploads need a size limit and a form', async () => {
    for (const key of [newId(), 'x', '..%2Fx'])
      assert.equal((await get(`/assets/${key}`)).statusCode, 404, key);
    assertProblem(await upload(Buffer.alloc(maxFileBytes + 1), 'x.png'), 413, 'file_too_large');
    assertProblem(await upload(Buffer.alloc(0), 'x.png'), 422, 'invalid_input');
    assertProblem(await upload(png, 'x.png', owner, { part: 'picture' }), 422, 'invalid_input');
    const query = '?kind=image';
    assert.equal((await upload(png, 'x.png', owner, { query })).status, 201);
    assertProblem(await upload(Buffer.from('x'), 'x.png', owner, { query }), 422, 'invalid_image');
    const text = await owner.request('POST', `${base}/files`, {});
    assertProblem(text, 415, 'unsupported_media_type');
    assert.equal((await app.services.files.list(`content/${organizationId}`)).length, 2, 'nothing is left');
  });

  test('a failed upload reports its reason', async (t) => {
    const { files } = app.services;
    const failing = () => Promise.reject(new FileStoreFailure('The disk is gone.'));
    const remove = t.mock.method(files, 'remove', failing);
    await sql`revoke insert on content_files from reachout_app`.execute(app.owner);
    t.after(() => sql`grant insert on content_files to reachout_app`.execute(app.owner));
    assertProblem(await upload(png, 'x.png'), 500, 'internal');
    assert.equal(remove.mock.callCount(), 2, 'the file and what the public would see of it');
  });

  test('slow readers of public files do not block others', async () => {
    const port = await listen();
    // Noise, which is as large when it is drawn anew.
    const raw = { width: 1_270, height: 1_270, channels: 3 } as const;
    const noise = sharp(randomBytes(raw.width * raw.height * raw.channels), { raw });
    const { body: image } = await upload(await noise.png().toBuffer(), 'large.png');
    const published = await owner.request<ContentFile>('PATCH', `${base}/files/${image.id}`, {
      is_public: true,
    });
    const { pathname } = new URL(published.body.public_url!);
    /** Sends a request and does not read the response. */
    const ask = (localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return socket;
    };
    const stalled = Array.from({ length: 12 }, () => ask('127.0.0.2'));
    await Promise.all(stalled.map((socket) => once(socket, 'readable')));
    const waiting = ask('127.0.0.2');
    let isAnswered = false;
    waiting.once('readable', () => {
      isAnswered = true;
    });
    const answer = once(waiting, 'readable');
    for (let n = 0; n < 10; n += 1) {
      const other = ask('127.0.0.3');
      await once(other, 'readable');
      other.destroy();
    }
    assert.equal(isAnswered, false, 'one network has so many at once');
    for (const socket of stalled) socket.destroy();
    await answer;
    waiting.destroy();
  });

  test('slow readers of private files do not block others', async () => {
    const port = await listen();
    const member = await app.signInMember(organizationId);
    const ofOwner = await createOrganization(app, owner);
    const ofMember = await createOrganization(app, member);
    const key = await makeKeyOf(app, organizationId, owner.userId, ['content:read']);
    const large = Buffer.concat([png, Buffer.alloc(9_900_000)]);
    const { body: file } = await upload(large, 'large.png');
    /** Sends a request and does not read the response. */
    const ask = (path: string, { headers }: { headers: Record<string, string> }) => {
      const socket = connect({ port, host: '127.0.0.1' });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`);
      return socket;
    };
    const path = `${base}/assets/${file.id}`;
    const restPath = `/content/${organizationId}/assets/${file.id}`;
    const colleague = await app.signInMember(organizationId);
    const stalled = [owner, colleague, owner].flatMap((one) => [
      ask(path, one),
      one === owner ? ask(restPath, key) : ask(path, one),
    ]);
    await Promise.all(stalled.map((socket) => once(socket, 'readable')));
    const waiting = [
      ask(path, member),
      ask(restPath, key),
      ask(`/api/content/${ofOwner}/assets/${file.id}`, owner),
    ];
    let answered = 0;
    const answers = waiting.map(async (socket) => {
      await once(socket, 'readable');
      answered += 1;
      socket.destroy();
    });
    for (let n = 0; n < 5; n += 1) {
      const other = ask(`/api/content/${ofMember}/assets/${file.id}`, member);
      await once(other, 'readable');
      other.destroy();
    }
    assert.equal(answered, 0, 'one organization and one person have so many at once, by session and by key');
    for (const socket of stalled) socket.destroy();
    await Promise.all(answers);
  });

  test('the type of a file comes from its bytes', async () => {
    const typeOf = async (text: string) => (await upload(Buffer.from(text), 'x')).body.type;
    // If each comment could match in two ways, backtracking would take years.
    assert.equal(await typeOf('<!---->'.repeat(150)), 'application/octet-stream');
    const drawing = '<?xml version="1.0"?>\n<!-- a -->\n<!-- b --><svg onload="alert(1)"/>';
    assert.equal(await typeOf(drawing), 'image/svg+xml');
    // As “report\u202egnp.exe”, it would be shown as “reportexe.png”.
    const program = await upload(Buffer.from('MZ'), 'report\u202egnp.exe');
    assert.equal(program.body.filename_download, 'reportgnp.exe');
  });
});
