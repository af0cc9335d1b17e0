import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageKinds, uploadPathOf } from '@reachout/contract/rules/storage.ts';
import { newId } from '../../platform/ids.ts';
import { madeAt, newStoredPath, parseStoredPath, parseStoredUrl, parseTarget, urlOf } from './stored-path.ts';

test('only generated image paths can be parsed', () => {
  const [owner, id] = [newId(), newId()];
  const stored = newStoredPath('logos', owner, id);
  const url = urlOf(stored);
  assert.equal(url, `/api/storage/logos/${owner}/${id}.webp`);
  assert.deepEqual(parseStoredUrl(url), stored);
  for (const other of [
    null,
    '',
    `https://pictures.example${url}`,
    `${url}?x`,
    `${url}\n`,
    url.toUpperCase(),
    url.replace('logos', 'secrets'),
    url.replace('logos', 'documents'),
    url.replace('logos', 'constructor'),
  ])
    assert.equal(parseStoredUrl(other), undefined, String(other));
  assert.equal(parseStoredPath('logos', `${owner}/../${owner}/${id}.webp`), undefined);
});

for (const kind of imageKinds)
  test(`an upload of kind ${kind} names one record`, () => {
    const id = newId();
    const [, bucket = '', path = ''] = /^storage\/(\w+)\/(.*)$/.exec(uploadPathOf(kind, id)) ?? [];
    assert.deepEqual(parseTarget(bucket, path), kind === 'avatar' ? { kind } : { kind, id });
    for (const other of [`${path}/`, `${path}.png.html`, path.toUpperCase(), `x/../${path}`, id])
      assert.equal(parseTarget(bucket, other), undefined, other);
    assert.equal(parseTarget('others', path), undefined);
  });

test('only brands have dark logos, and campaigns none', () => {
  for (const path of [`campaigns/${newId()}`, `clients/${newId()}/dark`, `brands/${newId()}/Dark`, 'me'])
    assert.equal(parseTarget('logos', path), undefined, path);
});

test('a file name contains its creation time', () => {
  const made = madeAt(`${newId()}.webp`);
  assert.ok(made !== undefined && Math.abs(Date.now() - made) < 10_000);
  assert.equal(madeAt('picture.webp'), undefined);
});
