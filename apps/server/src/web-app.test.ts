import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { registerWebApp } from './web-app.ts';

const pageText = '<script>start();</script><div id="root"></div>';
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

suite('web app', () => {
  let parent: string;
  let app: FastifyInstance;

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'reachout-web-'));
    const folder = join(parent, 'dist');
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(folder, 'index.html'), pageText);
    await writeFile(join(folder, 'assets', 'index-abc.js'), 'export {};');
    await mkdir(join(folder, 'demo'));
    await writeFile(join(folder, 'demo', 'harbor.png'), '');
    await writeFile(join(folder, '.sources'), 'hidden');
    await writeFile(join(parent, 'secret-key'), 'hidden');
    app = Fastify();
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', "default-src 'self';script-src 'self'");
    });
    await registerWebApp(app, folder);
  });
  after(async () => {
    await app.close();
    await rm(parent, { recursive: true });
  });

  const get = (url: string, headers: InjectOptions['headers'] = {}) => app.inject({ url, headers });

  test('browsers get the page at each address', async () => {
    for (const path of ['/', '/o/x', '/o/x/campaigns?page=2', '/apiary', '/sign-in?to=%2Fapi%2F']) {
      const page = await get(path, html);
      assert.equal(page.statusCode, 200, path);
      assert.match(String(page.headers['content-type']), /^text\/html/);
      assert.equal(page.headers['cache-control'], 'no-cache');
      assert.equal(page.body, pageText);
    }
  });

  test('the policy allows the script within the page alone', async () => {
    const hash = createHash('sha256').update('start();').digest('base64');
    for (const path of ['/', '/o/x', '/index.html']) {
      const { headers } = await get(path, html);
      assert.equal(
        headers['content-security-policy'],
        `default-src 'self';script-src 'self' 'sha256-${hash}'`,
        path,
      );
    }
    const { headers } = await get('/assets/index-abc.js');
    assert.equal(headers['content-security-policy'], "default-src 'self';script-src 'self'");
  });

  test('other clients get no page', async () => {
    const refused: [string, InjectOptions['headers']][] = [
      ['/o/x', {}],
      ['/o/x', { accept: 'application/json' }],
      ['/assets/gone.js', { accept: '*/*' }],
      ['/api', html],
      ['/api/', html],
      ['/api?x=1', html],
      ['/api/no-such-call', html],
    ];
    for (const [path, headers] of refused) {
      const response = await get(path, headers);
      assert.equal(response.statusCode, 404, path);
      assert.match(String(response.headers['content-type']), /^application\/problem\+json/);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      assert.equal((await app.inject({ method, url: '/o/x', headers: html })).statusCode, 404, method);
  });

  test('files with a hash are cached', async () => {
    const file = await get('/assets/index-abc.js');
    assert.equal(file.statusCode, 200);
    assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable');
  });

  test('pictures of the demo can be embedded elsewhere', async () => {
    const policyOf = async (path: string) => (await get(path, html)).headers['cross-origin-resource-policy'];
    assert.equal(await policyOf('/demo/harbor.png'), 'cross-origin');
    for (const path of ['/', '/assets/index-abc.js', '/demo/other.png'])
      assert.equal(await policyOf(path), undefined, path);
  });

  test('files outside the folder are not served', async () => {
    for (const path of [
      '/.sources',
      '/assets/../.sources',
      '/../secret-key',
      '/..%2fsecret-key',
      '/%2e%2e/secret-key',
      '/assets/..%2f..%2fsecret-key',
      '/assets/..%5c..%5csecret-key',
      '//secret-key',
      '/%00',
      '/%zz',
    ]) {
      for (const headers of [{}, html]) assert.doesNotMatch((await get(path, headers)).body, /hidden/, path);
    }
  });
});
