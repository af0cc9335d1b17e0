import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listOwners, moduleOf, readProduct } from './check-table-owners.ts';
import { root } from './run-command.ts';

// A module reads its own tables (scripts/check-table-owners.ts), and those of others through views and functions that the owner
// names. `foreign-reads.txt` lists the files that read tables of other modules all the same: it may only become shorter.
// `--update` removes what is gone.

const list = 'scripts/foreign-reads.txt';

const reads = [
  /\b(?:selectFrom|innerJoin|leftJoin|rightJoin|fullJoin|crossJoin|innerJoinLateral|leftJoinLateral)\(\s*'(\w+)/g,
  /\b(?:from|join|using)\s+(?:only\s+)?(?:"?public"?\.)?"?(\w+)/gi,
];

/** @returns lines such as `outreach/campaigns/campaign.queries.ts brands`, sorted */
export function listForeignReads(directory: string): string[] {
  const owners = listOwners(directory);
  const found = [...readProduct(directory)].flatMap(([place, text]) =>
    reads.flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap(([, table = '']) => {
        const owner = owners.get(table);
        return owner === undefined || owner === moduleOf(place)
          ? []
          : [`${place.slice('apps/server/src/'.length)} ${table}`];
      }),
    ),
  );
  return [...new Set(found)].toSorted();
}

/** @returns one sentence for each new read, and for each listed one that is gone */
export function findReadProblems(directory: string): string[] {
  const known = readFileSync(join(directory, list), 'utf8').split('\n').filter(Boolean);
  const found = listForeignReads(directory);
  const owners = listOwners(directory);
  const added = found.filter((line) => !known.includes(line));
  const gone = known.filter((line) => !found.includes(line));
  return [
    ...added.map((line) => {
      const [place, table = ''] = line.split(' ');
      return `${place} reads ${table} of ${owners.get(table)}: use a view or function of its owner.`;
    }),
    ...gone.map((line) => `${list} lists “${line}”, which is gone: run it with --update.`),
  ];
}

if (import.meta.main) {
  const problems = findReadProblems(root);
  if (process.argv.includes('--update') && problems.every((problem) => problem.endsWith('--update.')))
    writeFileSync(join(root, list), `${listForeignReads(root).join('\n')}\n`);
  else {
    for (const problem of problems) console.error(problem);
    process.exitCode = problems.length === 0 ? 0 : 1;
  }
}
