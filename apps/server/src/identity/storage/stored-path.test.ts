import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../platform/ids.ts';
import { madeAt, newStoredPath, parseStoredPath, parseStoredUrl, parseTarget } from './stored-path.ts';

test('only generated image paths can be parsed', () => {
  const [owner, id] = [newId(), newId()];
  const stored = newStoredPath('logos', owner, id);
  assert.deepEqual(stored, {
    bucket: 'logos',
    ownerId: owner,
    path: `${owner}/${id}.webp`,
    url: `/api/storage/logos/${owner}/${id}.webp`,
  });
  assert.deepEqual(parseStoredUrl(stored.url), stored);
  for (const url of [
    null,
    '',
    `https://pictures.example${stored.url}`,
    `${stored.url}?x`,
    `${stored.url}\n`,
    stored.url.toUpperCase(),
    stored.url.replace('logos', 'secrets'),
    stored.url.replace('logos', 'constructor'),
  ])
    assert.equal(parseStoredUrl(url), undefined, String(url));
  assert.equal(parseStoredPath('logos', `${owner}/../${owner}/${id}.webp`), undefined);
});

test('uploads are for one avatar or logo', () => {
  const id = newId();
  assert.deepEqual(parseTarget('avatars', 'me'), { bucket: 'avatars' });
  assert.deepEqual(parseTarget('logos', `brands/${id}`), {
    bucket: 'logos',
    kind: 'brands',
    id,
    column: 'logo_url',
  });
  assert.deepEqual(parseTarget('logos', `brands/${id}/dark`), {
    bucket: 'logos',
    kind: 'brands',
    id,
    column: 'dark_logo_url',
  });
  for (const [bucket, path] of [
    ['avatars', id],
    ['avatars', 'me/'],
    ['logos', 'me'],
    ['logos', `campaigns/${id}`],
    ['logos', `brands/${id}/`],
    ['logos', `brands/${id}/Dark`],
    ['logos', `clients/${id}/dark`],
    ['logos', `brands/${id}/../${id}`],
    ['logos', `brands/${id}.png.html`],
    ['others', `brands/${id}`],
  ] as const)
    assert.equal(parseTarget(bucket, path), undefined, `${bucket}/${path}`);
});

test('a file name contains its creation time', () => {
  const made = madeAt(`${newId()}.webp`);
  assert.ok(made !== undefined && Math.abs(Date.now() - made) < 10_000);
  assert.equal(madeAt('picture.webp'), undefined);
});
