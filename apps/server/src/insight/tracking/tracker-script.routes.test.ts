import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createTestApp, type TestApp } from '../../testing/app.ts';

suite('script of the tracker', () => {
  const text = `console.log('${'x'.repeat(2_000)}');`;
  let folder: string;
  let app: TestApp;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reachout-tracker-'));
    const trackerScript = join(folder, 'script.js');
    await writeFile(trackerScript, text);
    app = await createTestApp({ roles: ['tracking'] }, { trackerScript });
  });
  after(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  const get = (headers: Record<string, string> = {}) =>
    app.app.inject({ url: '/tracker.js', headers: { origin: 'https://shop.example', ...headers } });

  test('pages of every origin may load it, without cookies (CSRF-2)', async () => {
    const { statusCode, headers, body } = await get();
    assert.equal(statusCode, 200);
    assert.equal(body, text);
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['access-control-allow-credentials'], undefined);
    assert.equal(headers['set-cookie'], undefined);
  });

  test('browsers keep it for five minutes, then ask whether it changed', async () => {
    for (const encoding of ['identity', 'br']) {
      const { headers } = await get({ 'accept-encoding': encoding });
      assert.equal(headers['cache-control'], 'public, max-age=300');
      const again = await get({ 'accept-encoding': encoding, 'if-none-match': String(headers.etag) });
      assert.equal(again.statusCode, 304, encoding);
      assert.equal(again.body, '');
    }
    assert.equal((await get({ 'if-none-match': 'W/"other"' })).statusCode, 200);
  });
});
