import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snippetOf } from './sign-up-snippet.ts';

const form = {
  url: 'https://reachout.example/f/abc',
  version: 3,
  language: 'en',
  fields: [
    { name: 'first_name', label: 'First <b>name</b>', is_required: true },
    { name: 'size', label: 'Size', is_required: false },
    { name: 'vip', label: 'VIP', is_required: false },
  ],
  topic_ids: ['t2'],
  asks_tracking: true,
  consent_text: 'I want "news" & more.\n</form>',
} as const;
const kinds = [
  { field: 'first_name', type: 'string', interface: null, choices: null },
  { field: 'size', type: 'string', interface: 'select', choices: ['S', 'M"'] },
  { field: 'vip', type: 'boolean', interface: null, choices: null },
] as const;
const topics = [
  { id: 't1', name: 'News' },
  { id: 't2', name: 'Offers <3' },
];

const snippet = snippetOf(
  { ...form, fields: [...form.fields], topic_ids: [...form.topic_ids] },
  'Kids & Co',
  kinds.map((kind) => ({ ...kind, choices: kind.choices && [...kind.choices] })),
  topics,
);

test('no text of a form becomes markup of its snippet', () => {
  for (const shown of [
    'First &lt;b&gt;name&lt;/b&gt;',
    'Offers &lt;3',
    'Kids &amp; Co may measure',
    'I want &quot;news&quot; &amp; more.<br>&lt;/form&gt;',
    '<option>M&quot;</option>',
  ])
    assert.ok(snippet.includes(shown), shown);
  assert.equal(snippet.match(/<\/form>/g)?.length, 1);
});

test('a snippet sends its version, the chosen topics and the kind of each field', () => {
  for (const input of [
    '<input type="hidden" name="version" value="3">',
    '<input type="email" name="email" autocomplete="email" required>',
    '<input type="text" name="field_first_name" required maxlength="500">',
    '<select name="field_size">',
    '<input type="checkbox" name="field_vip" value="1">',
    '<input type="checkbox" name="topic" value="t2">',
    '<input type="checkbox" name="tracking" value="1">',
    '<input name="homepage" tabindex="-1" autocomplete="off">',
  ])
    assert.ok(snippet.includes(input), input);
  assert.ok(!snippet.includes('t1'));
  assert.ok(!snippet.includes('<script'));
});
