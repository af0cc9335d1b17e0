import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMergeBase, git } from './git.ts';
import { root } from './run-command.ts';

// Titles of tests and documents are plain technical English. The expressions below are marks of an older, literary style that
// many lines still have: they are checked in lines that changed since the branch left main, so that the style disappears with
// time, and no change has to mend what it does not touch.

const expressions: readonly [expression: RegExp, instead: string][] = [
  [/\bwhoever\b/i, 'name who: the caller, a member, another process'],
  [/\bbeneath\b/i, 'below'],
  [/\blets? go\b/i, 'releases, ends'],
  [/\bof (?:its|their) own\b/i, 'its own …, separate'],
  [/\bnobody[’']s\b/i, 'of no user'],
  [/\bare told\b/i, 'get …, are reported'],
  [/\bas (?:the )?[\w-]+ has it\b/i, 'as in …'],
  [/\bis none\b/i, 'there is no …'],
];

export interface Line {
  file: string;
  /** 1-based. */
  number: number;
  text: string;
}

const isTest = /\.(?:test|spec)\.ts$/;
/** A title, or the first line of one that is given by a template. */
const title = /\b(?:test|suite)\(\s*(['"`].*)/;

/** @returns one sentence for each expression in a title of a test or a line of a document */
export const findExpressions = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ file, number, text }) => {
    const checked = isTest.test(file) ? title.exec(text)?.[1] : text;
    if (checked === undefined) return [];
    return expressions.flatMap(([expression, instead]) => {
      const found = expression.exec(checked)?.[0];
      return found === undefined ? [] : [`${file}:${number} says “${found}”. Better: ${instead}.`];
    });
  });

/** @param diff  of `git diff --unified=0`. @returns the lines that it adds */
export function readAddedLines(diff: string): Line[] {
  const lines: Line[] = [];
  let file = '';
  let number = 0;
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -\S+ \+(\d+)/.exec(text);
    if (text.startsWith('+++ ')) file = text.replace(/^\+\+\+ (?:b\/)?/, '');
    else if (hunk !== null) number = Number(hunk[1]);
    else if (text.startsWith('+')) {
      lines.push({ file, number, text: text.slice(1) });
      number += 1;
    }
  }
  return lines;
}

/** @returns the lines of tests and documents that changed since the branch left main, committed or not */
function listChangedLines(): Line[] {
  // The test of this file quotes the expressions.
  const paths = ['*.test.ts', '*.spec.ts', '*.md', ':!scripts/check-wording.test.ts'];
  const base = findMergeBase(root) ?? 'HEAD';
  const diff = git(root, 'diff', '--unified=0', '--no-renames', '--no-color', base, '--', ...paths);
  const untracked = git(root, 'ls-files', '--others', '--exclude-standard', '--', ...paths);
  if (diff === undefined || untracked === undefined) throw new Error('git cannot tell what has changed.');
  const added = untracked.split('\n').filter((file) => file !== '');
  return [
    ...readAddedLines(diff),
    ...added.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .map((text, index) => ({ file, number: index + 1, text })),
    ),
  ];
}

if (import.meta.main) {
  const problems = findExpressions(listChangedLines());
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
