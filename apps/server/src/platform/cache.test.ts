import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createCache } from './cache.ts';

suite('cache', () => {
  test('concurrent callers load a key once', async () => {
    let loads = 0;
    const find = createCache(10, async (key: string) => {
      loads++;
      await Promise.resolve();
      return key.toUpperCase();
    });
    assert.deepEqual(await Promise.all([find('a'), find('a'), find('a')]), ['A', 'A', 'A']);
    assert.equal(await find('a'), 'A');
    assert.equal(loads, 1);
  });

  test('the least recently used entry is evicted', async () => {
    const loaded: string[] = [];
    const find = createCache(2, async (key: string) => {
      loaded.push(key);
      return await Promise.resolve(key);
    });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await find(key);
    assert.deepEqual(loaded, ['a', 'b', 'c', 'b']);
  });

  test('missing values and failures are not cached', async () => {
    const responses = [undefined, new Error('away'), 'here'];
    const find = createCache(2, async (_key: string) => {
      const response = await Promise.resolve(responses.shift());
      if (response instanceof Error) throw response;
      return response;
    });
    assert.equal(await find('a'), undefined);
    await assert.rejects(find('a'), /away/);
    assert.equal(await find('a'), 'here');
  });
});
