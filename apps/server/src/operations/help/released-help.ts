import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HelpScreen } from '@reachout/contract/rules/help.ts';

/** A folder for each language, with the same files; their numbers are the order. */
const folder = join(import.meta.dirname, '../../../../../docs/help');

/** Reads the help of this version in its order. @throws Error for a file in another form */
export function readReleasedHelp() {
  const categories = readFiles('questions', readCategory);
  return {
    pages: readFiles('pages', readPage),
    categories: categories.map(({ name, en, de }) => ({ name, en: en.text, de: de.text })),
    /** By category. */
    questions: new Map(
      categories.map(({ name: category, en, de }) => [
        category,
        en.answers.map(({ name, screens, text }) => ({
          name,
          screens,
          en: text,
          de: de.answers.find((other) => other.name === name)?.text ?? null,
        })),
      ]),
    ),
  };
}

const readFiles = <T>(kind: string, read: (source: string) => T): { name: string; en: T; de: T }[] =>
  readdirSync(join(folder, 'en', kind))
    .toSorted()
    .map((file) => {
      const [en, de] = ['en', 'de'].map((language) =>
        read(readFileSync(join(folder, language, kind, file), 'utf8').trim()),
      ) as [T, T];
      return { name: match(/^\d+-(.+)\.md$/, file)[0], en, de };
    });

/** A comment above the title makes it a draft. */
function readPage(source: string) {
  const [draft, title, content] = match(/^(<!-- draft -->\n\n)?# (.+)\n\n([^]+)$/, source);
  return { title, content, is_draft: draft !== '' };
}

/** The comment below a question has its name and screens. */
function readCategory(source: string) {
  const [head = '', ...questions] = source.split('\n\n## ');
  const [title, description] = match(/^# (.+)\n\n(.+)$/, head);
  return {
    text: { title, description },
    answers: questions.map((question) => {
      const [asked, name, screens, content] = match(/^(.+)\n\n<!-- ([\w-]+): (.*?) -->\n\n([^]+)$/, question);
      return {
        name,
        screens: screens.split(', ') as HelpScreen[],
        text: { title: asked, content, is_draft: false },
      };
    }),
  };
}

function match(pattern: RegExp, text: string): [string, string, string, string] {
  const found = pattern.exec(text);
  if (found === null) throw new Error(`The help is not in its form: ${text.slice(0, 100)}`);
  const [, first = '', second = '', third = '', fourth = ''] = found;
  return [first, second, third, fourth];
}
