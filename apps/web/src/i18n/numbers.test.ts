import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import i18next from 'i18next';
import { de } from './de/all.ts';
import { en } from './en/all.ts';
import { formatter, interpolation } from './formatter.ts';
import { listTexts } from './list-texts.ts';

test('numbers in texts follow the language', async () => {
  const { t } = i18next;
  await i18next.use(formatter).init({ lng: 'en', resources: { en, de }, ns: Object.keys(en), interpolation });
  for (const [lng, texts, written] of [
    ['en', en, '1,160'],
    ['de', de, '1.160'],
  ] as const) {
    for (const [key, text] of listTexts(texts)) {
      const names = [...text.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name!);
      if (names.length === 0) continue;
      const plain = key.replace(/_(?:one|other)$/, '');
      const values = Object.fromEntries(names.map(valueOf));
      const shown: string = (t as (key: string, options: object) => string)(plain, {
        count: 1160,
        ...values,
        lng,
        context: '',
      });
      assert.doesNotMatch(shown, /1160/, `${lng} ${key}`);
      if (key === plain || key.endsWith('_other'))
        assert.ok(shown.includes(written), `${lng} ${key}: ${shown}`);
    }
  }
  assert.equal(
    (t as (key: string, options: object) => string)('common:load.loading', { what: 'The campaigns' }),
    'Loading campaigns',
  );
});

/** @returns a name and a number, or an object with numbers for a path such as `images.used` */
function valueOf(path: string): [string, unknown] {
  const [name = '', ...rest] = path.split('.');
  return [name, rest.length === 0 ? 1160 : new Proxy({}, { get: () => 1160, has: () => true })];
}

test('components print numbers only by texts and formats', () => {
  const directory = join(import.meta.dirname, '..');
  // A count as the child of an element, and not as a prop that is spread: `>{items.length}<`, `{t('of')} {send.recipients_total_count}`.
  const raw =
    /(?:>|\}|\s)\s*\{(?!\.{3})[\w.?!]*(?:\.length|\.size|[cC]ount|[tT]otal|[nN]umber)\}\s*(?:<|\{|$)/m;
  const found = globSync('**/*.tsx', { cwd: directory }).filter((file) =>
    raw.test(readFileSync(join(directory, file), 'utf8')),
  );
  assert.deepEqual(found, []);
});
