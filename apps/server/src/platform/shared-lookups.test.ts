import assert from 'node:assert/strict';
import test from 'node:test';
import { createSharedLookups } from './shared-lookups.ts';

test('concurrent callers share a look-up that starts later', async () => {
  const share = createSharedLookups<number>('tests');
  let stored = 1;
  let lookups = 0;
  const open = Promise.withResolvers<void>();
  const find = () =>
    share('key', async () => {
      lookups += 1;
      const found = stored;
      await open.promise;
      return found;
    });
  const first = find();
  stored = 2;
  const later = [find(), find(), find()];
  open.resolve();
  assert.equal(await first, 1);
  assert.deepEqual(await Promise.all(later), [2, 2, 2]);
  assert.equal(lookups, 2);
  stored = 3;
  assert.equal(await find(), 3);
});

test('a failed look-up fails only for its callers', async () => {
  const share = createSharedLookups<string>('tests');
  const failing = share('key', () => Promise.reject(new Error('away')));
  const next = share('key', () => Promise.resolve('found'));
  await assert.rejects(failing, /away/);
  assert.equal(await next, 'found');
  assert.equal(await share('other', () => Promise.resolve('other')), 'other');
});
