import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { Problem } from '../../platform/http/problem.ts';
import { useSharedApp } from '../../testing/app.ts';
import { buildTenant } from '../../testing/tenant.ts';
import { useMade } from '../../testing/use-made.ts';
import { toStoredImage } from './image.ts';

const red = { r: 200, g: 30, b: 30 };
const picture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: red } });

/** Changes the size in the header of a PNG; the rest is unchanged. */
function claimSize(png: Buffer, width: number, height: number): Buffer {
  const forged = Buffer.from(png);
  forged.writeUInt32BE(width, 16);
  forged.writeUInt32BE(height, 20);
  forged.writeUInt32BE(crc32(forged.subarray(12, 29)), 29);
  return forged;
}

suite('image uploads', () => {
  const app = useSharedApp();
  const tenant = useMade(() => buildTenant(app.owner));
  const owner = useMade(() => app.signInMember(tenant.organizationId));
  async function upload(payload: Buffer | string, type = 'image/png', path?: string) {
    const response = await app.app.inject({
      method: 'POST',
      url: path ?? `/api/storage/logos/clients/${tenant.clientId}`,
      headers: { ...owner.headers, 'content-type': type },
      payload,
    });
    return { status: response.statusCode, body: response.json<Problem & { url: string }>() };
  }
  async function download(url: string): Promise<Buffer> {
    const response = await app.app.inject({ method: 'GET', url, headers: owner.headers });
    assert.equal(response.statusCode, 200);
    return response.rawPayload;
  }
  const keptFiles = () =>
    readdir(join(app.services.config.dataDir, 'files/logos', tenant.organizationId)).catch(() => []);

  async function assertRefused(payload: Buffer | string, what: string) {
    const earlier = await keptFiles();
    const { status, body } = await upload(payload);
    assert.deepEqual([status, body.code], [422, 'invalid_image'], what);
    assert.deepEqual(await keptFiles(), earlier, what);
  }

  test('every accepted type becomes WebP of at most 512 × 512 pixels', async () => {
    for (const make of [
      () => picture(1_200, 300).png(),
      () => picture(300, 1_200).jpeg(),
      () => picture(600, 600).webp(),
      () => picture(513, 20).gif(),
    ]) {
      const { status, body } = await upload(await make().toBuffer(), 'image/x-whatever');
      assert.equal(status, 201);
      const { format, width, height } = await sharp(await download(body.url)).metadata();
      assert.equal(format, 'webp');
      assert.equal(Math.max(width, height), 512);
    }
  });

  test('small images keep size and color, and lose metadata', async () => {
    const photo = await picture()
      .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    assert.ok((await sharp(photo).metadata()).exif);
    const kept = await download((await upload(photo, 'image/jpeg')).body.url);
    const { exif, icc, xmp, width, height, orientation } = await sharp(kept).metadata();
    assert.deepEqual(
      { exif, icc, xmp, orientation },
      { exif: undefined, icc: undefined, xmp: undefined, orientation: undefined },
    );
    assert.deepEqual([width, height], [30, 40], 'it stands upright');
    const [r, g] = (await sharp(kept).raw().toBuffer()).subarray(0, 2);
    assert.ok(Math.abs(r! - red.r) < 12 && Math.abs(g! - red.g) < 12);
  });

  test('animations become still images', async () => {
    const frames = await Promise.all([picture().png().toBuffer(), picture().negate().png().toBuffer()]);
    for (const moving of [
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
      await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
    ]) {
      assert.equal((await sharp(moving).metadata()).pages, 2);
      const { pages, height } = await sharp(await download((await upload(moving)).body.url)).metadata();
      assert.deepEqual([pages, height], [undefined, 30]);
    }
  });

  test('polyglot files become plain images (UPL-1)', async () => {
    const payload = '<script>alert(document.domain)</script><?php system($_GET["c"]); ?>';
    const png = await picture().png().toBuffer();
    const jpeg = await picture().jpeg().toBuffer();
    const inComment = Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, payload.length + 2]),
      Buffer.from(payload),
      jpeg.subarray(2),
    ]);
    const zip = Buffer.concat([png, Buffer.from('PK\x03\x04')]);
    for (const polyglot of [Buffer.concat([png, Buffer.from(payload)]), inComment, zip]) {
      const { status, body } = await upload(polyglot);
      assert.equal(status, 201);
      const kept = (await download(body.url)).toString('latin1');
      assert.ok(kept.startsWith('RIFF'));
      for (const trace of ['script', 'php', 'PK\x03\x04']) assert.ok(!kept.includes(trace), trace);
    }
    await assertRefused('GIF89a/*<svg/onload=alert(1)>*/=alert(1)', 'a script that begins like a GIF');
    await assertRefused(`<!--${png.toString('latin1')}--><script></script>`, 'a page with an image in it');
  });

  test('other file types are rejected under any name (UPL-1)', async () => {
    await assertRefused('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'XML');
    await assertRefused('<html><script>alert(1)</script></html>', 'HTML');
    await assertRefused(await picture().tiff().toBuffer(), 'TIFF');
    await assertRefused(await picture().avif().toBuffer(), 'AVIF');
    await assertRefused('RIFF\x04\0\0\0WAVEfmt ', 'sound');
  });

  test('truncated and damaged images are rejected (UPL-1)', async () => {
    const noise = sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: red,
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    });
    for (const whole of [
      await noise.clone().png().toBuffer(),
      await noise.clone().jpeg().toBuffer(),
      await noise.clone().webp().toBuffer(),
      await noise.clone().gif().toBuffer(),
    ]) {
      for (const share of [0.02, 0.5, 0.9])
        await assertRefused(
          whole.subarray(0, Math.floor(whole.length * share)),
          `${share} of ${whole.subarray(0, 12).toString('latin1')}`,
        );
    }
    const damaged = await picture().png().toBuffer();
    damaged.fill(0x55, 60, 90);
    await assertRefused(damaged, 'a damaged PNG');
  });

  test('images above 25 megapixels are rejected before decoding (UPL-1)', async () => {
    const flood = await picture(5_001, 5_000).png({ compressionLevel: 9 }).toBuffer();
    assert.ok(flood.length < 500_000);
    const small = await picture().png().toBuffer();
    const gif = await picture().gif().toBuffer();
    const frame = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 40, 0, 30, 0]));
    for (const place of [6, 8, frame + 5, frame + 7]) gif.writeUInt16LE(65_000, place);
    const rssBefore = process.memoryUsage.rss();
    await assertRefused(flood, 'a large PNG');
    assert.match((await upload(flood)).body.detail, /25 megapixels/);
    await assertRefused(claimSize(small, 60_000, 60_000), 'a PNG that says it is larger');
    await assertRefused(claimSize(small, 2_147_483_647, 1), 'a PNG of one endless line');
    await assertRefused(gif, 'a GIF that says it is larger');
    assert.ok(process.memoryUsage.rss() - rssBefore < 60_000_000);
    assert.equal((await upload(await picture(5_000, 4_999).jpeg().toBuffer())).status, 201);
  });

  test('an upload waits for at most two others (RATE-1)', async () => {
    const large = await picture(2_000, 2_000).jpeg().toBuffer();
    const made = await Promise.allSettled([
      ...Array.from({ length: 5 }, () => toStoredImage(large, 'one')),
      toStoredImage(large, 'other'),
    ]);
    assert.deepEqual(
      made.map((one) => (one.status === 'fulfilled' ? 'made' : (one.reason as { code: string }).code)),
      ['made', 'made', 'made', 'unavailable', 'unavailable', 'made'],
    );
  });

  test('file names of clients are ignored (UPL-1)', async () => {
    const png = await picture().png().toBuffer();
    const { clientId, organizationId } = tenant;
    const earlier = await keptFiles();
    for (const path of [
      `clients/${clientId}.png.html`,
      `clients/${clientId}/logo.svg`,
      `clients/${clientId}/`,
      `clients/${clientId}%00.webp`,
      `${organizationId}/${clientId}.webp`,
      `${organizationId}/x.php`,
      'x.webp',
      '',
    ])
      assert.equal((await upload(png, 'image/png', `/api/storage/logos/${path}`)).status, 404, path);
    assert.deepEqual(await keptFiles(), earlier);
    const { body } = await upload(png);
    assert.match(body.url, new RegExp(`^/api/storage/logos/${organizationId}/[0-9a-f-]{36}\\.webp$`));
  });
});
