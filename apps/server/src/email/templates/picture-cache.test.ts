import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPictureCache } from './picture-cache.ts';

test('a picture is rendered once while its source is the same', async () => {
  const cache = createPictureCache();
  let rendered = 0;
  const draw = (source: object, html = '<p>Spring</p>') =>
    cache.draw(source, () => {
      rendered += 1;
      return Promise.resolve(html);
    });
  assert.equal(await draw({ id: 1 }), '<p>Spring</p>');
  assert.equal(await draw({ id: 1 }), '<p>Spring</p>');
  assert.equal(rendered, 1);
  assert.equal(await draw({ id: 2 }, 'x'.repeat(300_000)), null);
  assert.equal(await draw({ id: 2 }), null);
  assert.equal(rendered, 2);
  await assert.rejects(cache.draw({ id: 3 }, () => Promise.reject(new Error('broken'))));
  assert.equal(await draw({ id: 3 }), '<p>Spring</p>');
});

test('pictures used longest ago make room for others', async () => {
  const cache = createPictureCache();
  const html = 'x'.repeat(200_000);
  const rendered: number[] = [];
  const draw = (id: number) =>
    cache.draw({ id }, () => {
      rendered.push(id);
      return Promise.resolve(html);
    });
  for (let id = 0; id < 50; id += 1) await draw(id);
  await draw(0);
  await draw(50);
  await draw(0);
  await draw(1);
  assert.deepEqual(rendered.slice(50), [50, 1]);
});
