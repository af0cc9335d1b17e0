import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiErrors } from '@reachout/contract/errors.ts';
import { de } from './de/all.ts';
import { en } from './en/all.ts';
import { listTexts } from './list-texts.ts';

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
  const { asked, composed } = collectKeys();
  const isUsed = (key: string) => asked.has(key) || composed.some((pattern) => pattern.test(key));
  assert.deepEqual(
    listTexts(en).filter(([key]) => !isUsed(key) && !isUsed(key.replace(/_(?:zero|one|other)$/, ''))),
    [],
  );
});

test('every list says what its records are called', () => {
  const directory = join(import.meta.dirname, '..');
  const known = new Set(listTexts(en).map(([key]) => key));
  const missing = globSync('**/*.tsx', { cwd: directory }).flatMap((file) => {
    const code = readFileSync(join(directory, file), 'utf8');
    if (/\blabel=\{/.test(code)) return [];
    return textsOfLists(code).filter(
      (where) => !known.has(toKey(where, 'title')) && !known.has(`common:words.${where.split(':').at(-1)}`),
    );
  });
  assert.deepEqual(missing, []);
});

/** The keys that a list can have, at the place that its `texts` names. Most are made of its title. */
const listKeys = [
  'title',
  'intro',
  'what',
  'search',
  'noMatch',
  'noMatchSearch',
  'new',
  'empty.title',
  'empty.body',
  'empty.reader',
  'empty.readerTitle',
  'deleteTitle',
  'deleteBody',
];
const textsOfLists = (code: string): string[] =>
  [...code.matchAll(/\btexts=("[^"]+"|\{[^}]+\})/g)].flatMap(([, value]) =>
    [...value!.matchAll(/["'](\w+(?::\w+)?)["']/g)].map(([, where]) => where!),
  );
const toKey = (where: string, key: string): string => `${where}${where.includes(':') ? '.' : ':'}${key}`;

/** Keys that the sources name, with each namespace that their file names or has anyway, and patterns of composed keys. */
function collectKeys() {
  const directory = join(import.meta.dirname, '..');
  const asked = new Set<string>();
  const composed: RegExp[] = [];
  const exclude = ['i18n/{en,de}/**', '**/*.test.ts'];
  for (const file of globSync('**/*.{ts,tsx}', { cwd: directory, exclude })) {
    const code = readFileSync(join(directory, file), 'utf8');
    const namespaces = Object.keys(en).filter(
      (name) => name === 'common' || new RegExp(`['"\`]${name}['"\`:]`).test(code),
    );
    const inNamespaces = (key: string) =>
      /^\w+:/.test(key) ? [key] : namespaces.map((name) => `${name}:${key}`);
    for (const where of textsOfLists(code))
      for (const key of listKeys) asked.add(toKey(where, key)).add(`common:records.${key}`);
    for (const [, key] of code.matchAll(/['"`]((?:\w+:)?[\w.-]+)['"`]/g))
      for (const name of inNamespaces(key!)) asked.add(name);
    for (const [, key] of code.matchAll(/`((?:[\w.:-]|\$\{[^{}`]*\})+)`/g))
      for (const name of inNamespaces(key!.replaceAll(/\$\{(.*?)\}/gs, toPattern)))
        if (/:.*\w/.test(name)) composed.push(new RegExp(`^${name}$`));
  }
  return { asked, composed };
}

/** A part of a key: one of the words that its expression chooses from, or any. */
function toPattern(_: string, expression: string): string {
  const words = [...expression.matchAll(/[?:] '([\w.-]*)'/g)].map(([, word]) => word);
  return words.length > 0 ? `(?:${words.join('|')})` : '.*';
}

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
  const wrong = Object.entries({ en, de }).flatMap(([language, texts]) =>
    Object.entries(terms[language as keyof typeof terms]).flatMap(([term, instead]) => {
      const found = new RegExp(/^\p{L}/u.test(term) ? `(?<![\\p{L}.-])(?:${term})(?![\\p{L}-])` : term, 'iu');
      return listTexts(texts)
        .filter(([, text]) => found.test(text.replaceAll(/\{\{.*?\}\}|Elastic Email|„email“/g, '')))
        .map(([key, text]) => `${language} ${key}: ${text} (${instead})`);
    }),
  );
  assert.deepEqual(wrong, []);
});
