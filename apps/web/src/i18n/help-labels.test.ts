import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { de } from './de/all.ts';
import { en } from './en/all.ts';
import { listTexts } from './list-texts.ts';

const withoutSoftHyphens = (text: string) => text.replaceAll('\u00AD', '');

test('bold words of the help are texts of the screens', () => {
  const directory = join(import.meta.dirname, '../../../../docs/help');
  const unknown = Object.entries({ en, de }).flatMap(([language, texts]) => {
    const labels = new Set(listTexts(texts).map(([, text]) => withoutSoftHyphens(text)));
    return globSync(`${language}/*/*.md`, { cwd: directory }).flatMap((file) =>
      [...readFileSync(join(directory, file), 'utf8').matchAll(/\*\*(.*?)\*\*/gs)]
        .map(([, word = '']) => word)
        .filter((word) => !labels.has(word))
        .map((word) => `${file}: ${word}`),
    );
  });
  assert.deepEqual(unknown, []);
});
