import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './run-command.ts';

// Every rule code, Markdown page and source file that a file cites must exist in this repository, and so must a name that a
// page says to be in a source file. A page in docs/
// explains a code in a list item that begins with the code in bold. Test titles cite the rules that they prove; other code
// states the reason.

const files = [
  '{apps,packages,db,scripts,e2e,bench,tests,docs,.ci}/**/*.{ts,tsx,mjs,sql,css,html,md,json,yml}',
  '.ci/*',
  '*.{ts,md,json,yml}',
];
const generated = ['**/node_modules/**', '**/dist/**', '**/*.gen.ts', 'package-lock.json'];
const ruleCode = /\b(?:[A-Z]{3,4}-\d{1,2}|R\d{1,2}\.\d{1,2})\b(?!\.\d)/g;
const explanation = /^- \*\*([A-Z]{3,4}-\d{1,2}|R\d{1,2}\.\d{1,2})\*\*: /gm;
const page = /(?<![\w./-])(?:\.{0,2}\/)?(?:[\w-]+\/)*[\w-]+\.md\b/g;
const address = /https?:\/\/\S+/g;
/** References to documents outside the repository. Sections of standards and of pages in docs/ are allowed. */
const elsewhere =
  /\bthe specification\b|(?<!(?:RFC \d{3,5}|\.md)[,\s*/#-]*)\bsections? \d+(?:\.\d+)*|\bissue #?\d+/gi;
/** `*.ts`, `0010_….sql` and `SUBJECT.ts` are placeholders, and not checked. */
const sourcePath = /(?<![\w./@$*…-])(?:\.{1,2}\/)*(?:[\w$-]+\/)*[\w$-][\w$.-]*\.(?:tsx?|mjs|sql)\b/g;
/** A name that a page says to be in a file. */
const namedIn = /`([A-Za-z_]\w*)`\s+(?:in|of)\s+`([\w$./-]+\.(?:tsx?|mjs|sql))`/g;
const placeholder = /[A-Z]{4}/;
const comment = /^\s*(?:\/\/|\/?\*|--|#).*$|\s(?:\/\/|--)\s.*$/gm;
const title =
  /(?:(?<![\w.])|(?<=\bt\.))(?:test|it|suite|describe)(?:\.(?!skip|todo)\w+)?\(\s*(['"`])((?:\\.|(?!\1)[^])*)\1/g;
const testFile = /\.(?:test|spec)\.tsx?$|\/testing\//;
/** These look like rule codes: character sets, hashes, licenses. */
const standards = /^(?:UTF|SHA|AES|ISO|RFC|MD|BSD|MIT|GPL)-/;

/**
 * Compares the citations in the files below `directory` with the pages of its docs/.
 * @returns one sentence for each citation without a target, and for each explained rule that no test cites
 */
export function findCitationProblems(directory: string): string[] {
  const paths = globSync(files, { cwd: directory, exclude: generated }).toSorted();
  const texts = paths.map((path) => ({
    path,
    text: readFileSync(join(directory, path), 'utf8').replaceAll(address, ''),
  }));
  const explained = texts
    .filter(({ path }) => path.startsWith('docs/'))
    .flatMap(({ text }) => [...text.matchAll(explanation)].map(([, code = '']) => code));
  const proven = new Set(
    texts
      .filter(({ path }) => testFile.test(path))
      .flatMap(({ text }) => [...text.replaceAll(comment, '').matchAll(title)])
      .flatMap(([, , name = '']) => codesIn(name)),
  );
  const sources = globSync('**/*.{ts,tsx,mjs,sql}', { cwd: directory, exclude: generated.slice(0, 2) });
  return [
    ...texts.flatMap(({ path, text }) => [
      ...findUnknown(directory, path, text, new Set(explained)),
      ...findMissingSources(path, text, sources),
      ...findMissingNames(directory, path, text, sources),
    ]),
    ...explained
      .filter((code, index) => explained.indexOf(code) !== index)
      .map((code) => `${code} is explained twice in docs/.`),
    ...explained.filter((code) => !proven.has(code)).map((code) => `No title of a test cites ${code}.`),
  ];
}

function findUnknown(
  directory: string,
  path: string,
  text: string,
  explained: ReadonlySet<string>,
): string[] {
  const places = [directory, join(directory, dirname(path))];
  const codes = new Set(codesIn(text));
  const pages = [...text.matchAll(page)]
    .map(([name]) => name)
    .filter((name) => !places.some((place) => existsSync(join(place, name))));
  return [
    ...[...codes]
      .filter((code) => !explained.has(code))
      .map((code) => `${path} cites the rule ${code}, which no page in docs/ explains.`),
    ...[...codes]
      .filter((code) => explained.has(code) && !testFile.test(path) && !path.endsWith('.md'))
      .map((code) => `${path} cites the rule ${code} and proves nothing: state the reason instead.`),
    ...[...new Set(pages)].map((name) => `${path} cites ${name}, which does not exist.`),
    ...[...text.matchAll(elsewhere)].map(([words]) => `${path} cites “${words}”, which is not here.`),
  ];
}

/** A comment may name a file by the end of its path. Migrations are skipped, because landed ones never change. */
function findMissingSources(path: string, text: string, sources: readonly string[]): string[] {
  if (path.startsWith('db/migrations/')) return [];
  const readable = path.endsWith('.md') ? text : (text.match(comment) ?? []).join('\n');
  const named = [...readable.matchAll(sourcePath)].map(([name]) => name);
  return [...new Set(named)]
    .filter((name) => !placeholder.test(name))
    .filter((name) => {
      const full = name.startsWith('.') ? normalize(join(dirname(path), name)) : name;
      return !sources.some((source) => source === full || source.endsWith(`/${full}`));
    })
    .map((name) => `${path} cites ${name}, which does not exist.`);
}

/** A name that moved or was renamed; only of pages, because code that names another file would not say where in it. */
function findMissingNames(
  directory: string,
  path: string,
  text: string,
  sources: readonly string[],
): string[] {
  if (!path.endsWith('.md')) return [];
  return [...text.matchAll(namedIn)].flatMap(([, name = '', file = '']) => {
    const found = sources.filter((source) => source === file || source.endsWith(`/${file}`));
    const word = new RegExp(`\\b${name}\\b`);
    return found.length === 0 ||
      found.some((source) => word.test(readFileSync(join(directory, source), 'utf8')))
      ? []
      : [`${path} says that ${name} is in ${file}, where it is not.`];
  });
}

const codesIn = (text: string): string[] =>
  [...text.matchAll(ruleCode)].map(([code]) => code).filter((code) => !standards.test(code));

if (import.meta.main) {
  const problems = findCitationProblems(root);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
