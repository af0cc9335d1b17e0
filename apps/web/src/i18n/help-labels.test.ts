import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { de } from './de/all.ts';
import { en } from './en/all.ts';
import { listTexts } from './list-texts.ts';

const withoutSoftHyphens = (text: string) => text.replaceAll('\u00AD', '');

test('bold words of the help are texts of the screens', () => {
  const directory = join(import.meta.dirname, '../../../../db/reference');
  const labels = [en, de].map(
    (texts) => new Set(listTexts(texts).map(([, text]) => withoutSoftHyphens(text))),
  );
  const unknown = globSync('help-2-*.sql', { cwd: directory }).flatMap((file) =>
    // The English and the German text of each entry, in turns.
    [...readFileSync(join(directory, file), 'utf8').matchAll(/\$\$(.*?)\$\$/gs)].flatMap(([, text = ''], i) =>
      [...text.matchAll(/\*\*(.*?)\*\*/gs)]
        .map(([, word = '']) => word)
        .filter((word) => !labels[i % 2]!.has(word))
        .map((word) => `${file}: ${word}`),
    ),
  );
  assert.deepEqual(unknown, []);
});
