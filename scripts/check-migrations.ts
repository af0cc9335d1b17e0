import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findMergeBase, git } from './git.ts';
import { root } from './run-command.ts';

// A migration that landed, that is, exists on main, has run somewhere and never changes. db/migrations.sha256 lists all
// migrations in the format of sha256sum; npm run db:dump adds new ones, and updates those that changed before they landed. Its first
// line counts how often all migrations were joined into a new start, which only databases without a record have: what landed before
// counts no more. Nobody raises it once a version was released.

const list = 'db/migrations.sha256';

/** @returns one sentence for each migration in `directory` that differs from its landed or listed version */
export function findMigrationProblems(directory: string): string[] {
  const listed = readListed(directory);
  const landed = readLanded(directory) ?? listed;
  const current = readCurrent(directory);
  const newest = [...landed.keys()].toSorted().at(-1) ?? '';
  const numbers = [...current.keys()].map((name) => name.slice(0, 4));
  return [
    ...[...landed]
      .filter(([name, checksum]) => current.get(name) !== checksum)
      .map(([name]) => `${name} landed and has changed since: restore it, and write a new migration.`),
    ...[...current.keys()]
      .filter((name) => !landed.has(name))
      .flatMap((name) => {
        if (name < newest) return [`${name} comes before ${newest}, which landed: give it the next number.`];
        return listed.has(name) ? [] : [`${name} is not listed: run npm run db:dump.`];
      }),
    ...[...new Set([...landed.keys(), ...listed.keys()])]
      .filter((name) => listed.get(name) !== (landed.get(name) ?? current.get(name)))
      .map((name) => `${name} is not as ${list} says: run npm run db:dump.`),
    ...numbers
      .filter((number, index) => numbers.indexOf(number) !== index)
      .map((number) => `Two migrations have the number ${number}.`),
  ];
}

/** Rewrites the list: landed migrations as they landed, others as they are now. */
export function recordMigrations(directory: string): void {
  const all = new Map([...readCurrent(directory), ...(readLanded(directory) ?? readListed(directory))]);
  const names = [...all.keys()].toSorted();
  const lines = names.map((name) => `${all.get(name)}  migrations/${name}\n`);
  writeFileSync(join(directory, list), [`${readStart(readList(directory))}\n`, ...lines].join(''));
}

/** Reads the list of main at the merge base; undefined without a git history, where the current list has to be used. */
function readLanded(directory: string): Map<string, string> | undefined {
  const base = findBase(directory);
  if (base === undefined) return undefined;
  const text = git(directory, 'show', `${base}:./${list}`) ?? '';
  return readStart(text) === readStart(readList(directory)) ? parseList(text) : new Map();
}

/** Without a main branch, committed migrations count as landed. */
const findBase = (directory: string): string | undefined =>
  findMergeBase(directory) ?? git(directory, 'rev-parse', '--verify', 'HEAD')?.trim();

const readList = (directory: string): string => readFileSync(join(directory, list), 'utf8');

const readListed = (directory: string): Map<string, string> => parseList(readList(directory));

/** @returns `# Start N`, a comment for sha256sum */
const readStart = (text: string): string => /^# Start \d+/.exec(text)?.[0] ?? '# Start 1';

const parseList = (text: string): Map<string, string> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [basename(line.slice(66)), line.slice(0, 64)]),
  );

const readCurrent = (directory: string): Map<string, string> =>
  new Map(
    globSync('db/migrations/*.sql', { cwd: directory })
      .toSorted()
      .map((path) => [
        basename(path),
        createHash('sha256')
          .update(readFileSync(join(directory, path)))
          .digest('hex'),
      ]),
  );

if (import.meta.main) {
  if (findMergeBase(root) === undefined)
    console.log(
      findBase(root) === undefined
        ? `No git history here: the migrations are compared with ${list} only.`
        : 'No main here: the migrations are compared with the last commit.',
    );
  const problems = findMigrationProblems(root);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
