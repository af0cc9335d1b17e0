import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeBlock } from './blocks.ts';
import { parseSource } from './source/parse-source.ts';
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
    { image: 'bild_url', title: 'name', text: 'beschreibung', isRichText: false, link: 'url' },
  );
});

test('a list prints rich text with its formatting', () => {
  const fields = listFieldsOf([
    ...strings('title'),
    { field: 'content', type: 'text', interface: 'rich_text' },
  ]);
  assert.deepEqual([fields.text, fields.isRichText], ['content', true]);
  const source = writeBlock(
    'list',
    parseSource('<mjml><mj-body></mj-body></mjml>'),
    ((key: string) => key) as unknown as Parameters<typeof writeBlock>[2],
    fields,
  );
  assert.match(source, /<h3[^>]*>\{\{ item\.title \}\}<\/h3>\{\{ item\.content \| rich_text \}\}/);
});

test('a field for images comes before its name', () => {
  const fields = [
    { field: 'packshot', type: 'string' as const, interface: 'image' as const },
    ...strings('image'),
  ];
  assert.equal(listFieldsOf(fields).image, 'packshot');
  assert.equal(listFieldsOf([{ field: 'image', type: 'uuid', interface: 'image' }]).image, undefined);
});
