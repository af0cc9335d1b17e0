import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInTime } from '../../testing/in-time.ts';
import { findForeignTags } from './find-foreign-tags.ts';

const find = (mjml: string, fields: readonly string[] = ['email', 'first_name']) =>
  findForeignTags({ subject: '', preheader: '', mjml }, fields).map(({ variable }) => variable);

test('foreign tags are found in any text in linear time', async () => {
  for (const part of [
    'a-',
    'a:',
    '<!--',
    '<style ',
    '<script ',
    '[x',
    '{{ a ',
    '*|',
    '%a ',
    '<a ',
    "style='",
  ]) {
    const text = part.repeat(Math.ceil(100_000 / part.length));
    await assertInTime(1_000, async () => {
      const from = performance.now();
      find(text);
      return performance.now() - from;
    });
  }
});

test('code without an end hides nothing before it', () => {
  assert.deepEqual(find('*|FNAME|* <mj-style src="a" /> [first name] <!-- *|OTHER|*'), [
    '*|FNAME|*',
    '[first name]',
  ]);
});
