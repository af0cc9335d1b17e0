import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiErrors } from '@reachout/contract/errors.ts';
import { de } from './de/all.ts';
import { en } from './en/all.ts';
import { listTexts } from './list-texts.ts';

const placeholders = (text: string) =>
  [...text.matchAll(/\{\{-?\s*(\w+)/g)].map(([, name]) => name!).toSorted();

test('both languages have the same placeholders', () => {
  const german = new Map(listTexts(de));
  const differing = listTexts(en).filter(
    ([key, text]) => placeholders(german.get(key) ?? '').join() !== placeholders(text).join(),
  );
  assert.deepEqual(differing, []);
});

test('the English text of an error stands once, in the contract', () => {
  const shown: Record<string, string> = { ...en.common.code, ...en.problems.code };
  const directory = join(import.meta.dirname, 'en');
  const source = globSync('*.ts', { cwd: directory })
    .map((file) => readFileSync(join(directory, file), 'utf8'))
    .join('\n');
  const repeated = Object.entries(apiErrors).filter(
    ([code, { message }]) =>
      source.includes(`'${message}'`) || (shown[code] !== undefined && shown[code] !== message),
  );
  assert.deepEqual(repeated, []);
});

test('every text is used', () => {
  const directory = join(import.meta.dirname, '..');
  const code = globSync('**/*.{ts,tsx}', { cwd: directory, exclude: ['i18n/**'] })
    .map((file) => readFileSync(join(directory, file), 'utf8'))
    .join('\n');
  const isUsed = (key: string) => {
    const name = key.slice(key.indexOf(':') + 1).replace(/_(?:zero|one|other)$/, '');
    const last = name.split('.').at(-1)!;
    const group = name.slice(0, -last.length);
    // Used by its full name, by its last part if that is from a list, or composed from its group.
    return new RegExp(`['"\`:.]${last}\\b`).test(code) || (group !== '' && code.includes(`${group}\${`));
  };
  // The audit log composes its keys from the names of operations.
  const unused = listTexts(en).filter(([key]) => !key.startsWith('settings:audit.actions.') && !isUsed(key));
  assert.deepEqual(unused, []);
});

/** Forbidden terms in texts, and their replacements (docs/glossary.md). */
const terms = {
  en: {
    'e-mail': 'email',
    telephone: 'phone',
    'answers?': 'response, reply',
    tries: 'attempts',
    'canceled|canceling': 'cancelled, cancelling',
    'colours?|behaviour': 'color, behavior',
    "\\w'\\w": 'the apostrophe ’',
    '"': 'the quotation marks “ and ”',
  },
  de: {
    'sendung(?:en)?': 'Versand',
    'emails?': 'E-Mail',
    kennung: 'ID',
    'inhaberschaft|inhaber': 'Eigentümer',
    prüfliste: 'Checkliste',
    'du|dich|dir|dein\\w*': 'Sie',
    '"|“(?=\\w)': 'die Anführungszeichen „ und “',
  },
} as const;

test('texts use the terms of the glossary', () => {
  const wrong = (
    [
      ['en', listTexts(en)],
      ['de', listTexts(de)],
    ] as const
  ).flatMap(([language, texts]) =>
    Object.entries(terms[language]).flatMap(([term, instead]) => {
      const found = new RegExp(/^\p{L}/u.test(term) ? `(?<![\\p{L}.-])(?:${term})(?![\\p{L}-])` : term, 'iu');
      return texts
        .filter(([, text]) => found.test(text.replaceAll(/\{\{.*?\}\}|Elastic Email|„email“/g, '')))
        .map(([key, text]) => `${language} ${key}: ${text} (${instead})`);
    }),
  );
  assert.deepEqual(wrong, []);
});
