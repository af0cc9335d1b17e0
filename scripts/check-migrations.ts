import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './run-command.ts';

// A migration that landed has run somewhere and never changes. db/migrations.sha256 lists those, as sha256sum writes
// them; npm run db:dump adds new ones.

/** @returns one sentence for each migration in `directory` that is not as it landed */
export function findMigrationProblems(directory: string): string[] {
  const [landed, current] = [readLanded(directory), readCurrent(directory)];
  const newest = [...landed.keys()].toSorted().at(-1) ?? '';
  const numbers = [...current.keys()].map((name) => name.slice(0, 4));
  return [
    ...[...landed]
      .filter(([name, checksum]) => current.get(name) !== checksum)
      .map(([name]) => `${name} landed and has changed since: restore it, and write a new migration.`),
    ...[...current.keys()]
      .filter((name) => !landed.has(name))
      .map((name) =>
        name < newest
          ? `${name} comes before ${newest}, which landed: give it the next number.`
          : `${name} is not listed: run npm run db:dump.`,
      ),
    ...numbers
      .filter((number, index) => numbers.indexOf(number) !== index)
      .map((number) => `Two migrations have the number ${number}.`),
  ];
}

/** Lists the migrations that are new. */
export function recordMigrations(directory: string): void {
  const all = new Map([...readCurrent(directory), ...readLanded(directory)]);
  const names = [...all.keys()].toSorted();
  const lines = names.map((name) => `${all.get(name)}  migrations/${name}\n`);
  writeFileSync(join(directory, 'db/migrations.sha256'), lines.join(''));
}

const readLanded = (directory: string): Map<string, string> =>
  new Map(
    readFileSync(join(directory, 'db/migrations.sha256'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
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
  const problems = findMigrationProblems(root);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
