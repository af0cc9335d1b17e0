import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listFieldsOf, newsletterFields } from './list-fields.ts';

const strings = (...names: string[]) =>
  names.map((field) => ({ field, type: 'string' as const, interface: null }));

test('a list shows image, title, text and link', () => {
  const newsletters = strings('subject', 'link_url', 'image_url', 'teaser', 'title');
  assert.deepEqual(listFieldsOf(newsletters), newsletterFields);
  assert.deepEqual(
    listFieldsOf([
      ...strings('bild_url', 'name', 'url'),
      { field: 'beschreibung', type: 'text', interface: null },
      { field: 'price', type: 'decimal', interface: null },
    ]),
    { image: 'bild_url', title: 'name', text: 'beschreibung', link: 'url' },
  );
});

test('a field for images comes before its name', () => {
  const fields = [
    { field: 'packshot', type: 'string' as const, interface: 'image' as const },
    ...strings('image'),
  ];
  assert.equal(listFieldsOf(fields).image, 'packshot');
  assert.equal(listFieldsOf([{ field: 'image', type: 'uuid', interface: 'image' }]).image, undefined);
});
