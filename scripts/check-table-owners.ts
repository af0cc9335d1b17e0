import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-command.ts';

// Each table has one owner: the module (a folder of a layer in apps/server/src) that holds all statements which write it.
// Other modules call its functions. The comment above a SQL function names its module: "-- owner: identity/access".

const server = 'apps/server/src';
const notProduct = ['**/*.test.ts', '**/testing/**', '**/*.gen.ts'];

/** Takes tables as names; those who give them are the writers. */
const deleter = `${server}/platform/database/delete-rows.ts`;

/** Where a statement, or a SQL function, picks its table from a list at run time: the tables that it writes. */
const picked: Readonly<Record<string, readonly string[]>> = {
  [`${server}/identity/contact-details/records.queries.ts`]: [
    'user_addresses',
    'user_socials',
    'organization_addresses',
    'organization_contacts',
    'client_addresses',
    'client_contacts',
    'client_socials',
  ],
  erase_addresses_and_contacts: [
    'user_addresses',
    'organization_addresses',
    'organization_contacts',
    'client_addresses',
    'client_contacts',
  ],
};

/** Each finds a table by its name, or finds no name. */
const callsThatWrite = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto|deleteRowsOf|deleteExpired)\(\s*(?:'(\w+)')?/g,
  // Better Auth writes the tables of its models, rate-limiter-flexible its own.
  /\b(?:modelName|tableName): '(\w+)'/g,
];
const statementThatWrites =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|copy|truncate(?:\s+table)?|update(?!\s+(?:set|skip|of|nowait)\b))\s+(?:only\s+)?(?:public\.)?(?:(\w+)|\$\{|%)/gi;
const sqlFunction =
  /(?:-- owner: (\S+)\n)?create (?:or replace )?(?:function|procedure) (\w+)\([\s\S]*?\bas (\$\w*\$)([\s\S]*?)\3/g;
const commentLine = /^\s*(?:\/\/|\/?\*|--).*$/gm;

interface Write {
  module: string;
  /** A file or a SQL function. */
  place: string;
  /** Undefined where the statement computes it. */
  table: string | undefined;
}

/** @returns one sentence for each table that several modules write, and for each place where the table cannot be read */
export function findOwnerProblems(directory: string): string[] {
  const tables = listTables(directory);
  const writes = [...listStatements(directory), ...listFunctions(directory)].flatMap((write) =>
    write.table === undefined
      ? (picked[write.place]?.map((table) => ({ ...write, table })) ?? [write])
      : [write],
  );
  const unread = writes
    .filter(({ table }) => table === undefined)
    .map(({ place }) => `${place}: which table this writes cannot be read.`);
  // Sentences look like statements too; what they name is no table.
  const known = writes.filter(({ table }) => table !== undefined && tables.has(table));
  const shared = [...Map.groupBy(known, ({ table }) => table)].flatMap(([table, ofTable]) => {
    const modules = Map.groupBy(ofTable, ({ module }) => module);
    const list = [...modules].map(
      ([module, ofModule]) => `${module} (${[...new Set(ofModule.map(({ place }) => place))].join(', ')})`,
    );
    return modules.size > 1 ? [`${table} is written by several modules: ${list.join('; ')}.`] : [];
  });
  return [...new Set(unread), ...shared.toSorted()];
}

function listTables(directory: string): ReadonlySet<string> {
  const types = readFileSync(join(directory, server, 'platform/database/types.gen.ts'), 'utf8');
  const names = /export interface DB \{([\s\S]*?)\n\}/.exec(types)?.[1] ?? '';
  return new Set([...names.matchAll(/^\s*(\w+):/gm)].map(([, name = '']) => name));
}

function listStatements(directory: string): Write[] {
  const places = globSync(`${server}/**/*.ts`, { cwd: directory, exclude: notProduct }).toSorted();
  return places
    .filter((place) => place !== deleter)
    .flatMap((place) => {
      const text = readFileSync(join(directory, place), 'utf8').replaceAll(commentLine, '');
      return [...callsThatWrite, statementThatWrites].flatMap((pattern) =>
        [...text.matchAll(pattern)].map(([, table]) => ({ module: moduleOf(place), place, table })),
      );
    });
}

function listFunctions(directory: string): Write[] {
  return globSync('db/**/*.sql', { cwd: directory, exclude: ['db/schema.sql'] }).flatMap((file) =>
    [...readFileSync(join(directory, file), 'utf8').matchAll(sqlFunction)].flatMap(
      ([, owner = 'no owner', place = '', , body = '']) =>
        [...body.replaceAll(commentLine, '').matchAll(statementThatWrites)].map(([, table]) => ({
          module: owner,
          place,
          table,
        })),
    ),
  );
}

/** `identity/members`, `outreach/channels/email`; a layer without folders is one module. */
function moduleOf(place: string): string {
  const folders = place
    .slice(server.length + 1)
    .split('/')
    .slice(0, -1);
  return folders.slice(0, folders[1] === 'channels' ? 3 : 2).join('/');
}

if (import.meta.main) {
  const problems = findOwnerProblems(root);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
