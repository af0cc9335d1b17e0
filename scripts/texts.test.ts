import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { languages, type Language } from '@reachout/contract/rules/languages.ts';

// Every text is there in every language, wherever it is: on the screens, in emails, on public pages, in the contract.

const root = join(import.meta.dirname, '..');

/** The texts of something in one language, by key. */
type Texts = Map<string, string>;

interface Translated {
  /** Its module and export. */
  name: string;
  texts: Record<Language, Texts>;
}

/** Declares texts by language: `de: {`, `de: '…'`, `de: ({ name }) => …`, or `= { en, de: german }`. */
const declaration = /(?<!\?)\bde: (?:['"`[]|\{(?!.*;)|\(.*=>)|= \{ en(?:: \w+)?, de(?:: \w+)? \}/g;
/** Tests have one language, the demo tells another story in each, and the web app joins its texts in `all.ts`. */
const excluded = ['**/*.test.ts', '**/testing/**', '**/operations/demo/**', 'apps/web/src/i18n/**'];

async function listTranslated(): Promise<{ found: Translated[]; hidden: string[] }> {
  const [{ en }, { de }] = await Promise.all([
    import('../apps/web/src/i18n/en/all.ts'),
    import('../apps/web/src/i18n/de/all.ts'),
  ]);
  const found = [...findTranslated('apps/web/src/i18n', { en, de })];
  const hidden: string[] = [];
  const files = globSync('{apps/*,packages/contract}/src/**/*.{ts,tsx}', { cwd: root, exclude: excluded });
  for (const file of files) {
    const declared = readFileSync(join(root, file), 'utf8').match(declaration)?.length ?? 0;
    if (declared === 0) continue;
    // A test cannot import components.
    const module: object = file.endsWith('.tsx') ? {} : { ...(await import(join(root, file))) };
    const exported = [...findTranslated(file, module)];
    found.push(...exported);
    if (exported.length < declared) hidden.push(file);
  }
  return { found, hidden };
}

/** Finds the objects with a value for each language. */
function* findTranslated(name: string, value: unknown): Generator<Translated> {
  if (typeof value !== 'object' || value === null) return;
  if (languages.every((language) => Object.hasOwn(value, language))) {
    const texts = languages.map((language) => [language, readTexts(Reflect.get(value, language))]);
    yield { name, texts: Object.fromEntries(texts) as Record<Language, Texts> };
  } else for (const [key, child] of Object.entries(value)) yield* findTranslated(`${name} ${key}`, child);
}

/** Texts in objects and lists, and those that a function makes of the named values that it gets. */
function readTexts(value: unknown, key = ''): Texts {
  if (typeof value === 'string') return new Map([[key, value]]);
  if (typeof value === 'function') return readTexts((value as (values: object) => unknown)(namedValues), key);
  if (typeof value !== 'object' || value === null) return new Map();
  const path = (name: string) => (key === '' ? name : `${key}.${name}`);
  return new Map(Object.entries(value).flatMap(([name, child]) => [...readTexts(child, path(name))]));
}

/** Each value as the placeholder of its name. */
const namedValues = new Proxy({}, { get: (_, name) => `{${String(name)}}` });

/** The names in `{name}` and `{{ name }}`, also of what a template language does with it. */
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{?-?\s*([\w.]+)[^{}]*\}/g)].map(([, name]) => name!).toSorted();

suite('texts in all languages', () => {
  let found: Translated[];
  let hidden: string[];

  before(async () => ({ found, hidden } = await listTranslated()));

  /** @returns what is wrong in any language, each with its place */
  const check = (isWrong: (text: string, english: string, language: Language) => boolean): string[] =>
    found.flatMap(({ name, texts }) =>
      languages.flatMap((language) =>
        [...texts[language]]
          .filter(([key, text]) => isWrong(text, texts.en.get(key) ?? '', language))
          .map(([key, text]) => `${name} ${language} ${key}: ${text}`),
      ),
    );

  test('modules export their texts, so that all are checked', () => {
    assert.deepEqual(hidden, []);
    const modules = new Set(found.map(({ name }) => name.split(' ')[0]));
    for (const module of [
      'web/src/i18n',
      'account-email-texts.ts',
      'preference-texts.ts',
      'domain-advice-text.ts',
    ])
      assert.ok(
        [...modules].some((name) => name?.endsWith(module)),
        module,
      );
  });

  test('each language has the same texts', () => {
    for (const { name, texts } of found)
      for (const language of languages)
        assert.deepEqual([...texts[language].keys()].toSorted(), [...texts.en.keys()].toSorted(), name);
  });

  test('each language has the same placeholders', () => {
    assert.deepEqual(
      check((text, english) => placeholders(text).join() !== placeholders(english).join()),
      [],
    );
  });

  test('no text is empty', () => {
    // Addresses are added when an email is sent, and who writes from these templates begins with the title.
    const open = /\.url: $| (?:blank|personal)\.title: $/;
    assert.deepEqual(
      check((text) => text.trim() === '').filter((empty) => !open.test(empty)),
      [],
    );
  });

  test('no words stand in English in another language', () => {
    const hasWords = (text: string) => /\p{L} \p{Ll}{2}/u.test(text.replaceAll(/\{.*?\}+/g, ''));
    assert.deepEqual(
      check((text, english, language) => language !== 'en' && text === english && hasWords(text)),
      [],
    );
  });
});
