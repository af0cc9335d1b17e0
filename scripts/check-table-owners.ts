import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-command.ts';

// Each table has one owner: the module (a folder of a layer in apps/server/src) with all statements that write the table.
// Other modules call its functions. A SQL function, rule or `do` block that writes has a comment above it that names its
// module, "-- owner: identity/access", and only this module may call the function.

const server = 'apps/server/src';
/** Samples of rows are written to, and read from, the tables of all modules: whoever changes a table changes them, too. */
const samples = `${server}/sample/**`;
const notProduct = ['**/*.test.ts', '**/testing/**', '**/*.gen.ts', samples];

/** These functions take table names as arguments; their callers count as the writers. */
const platformStatements = ['delete-rows.ts', 'restorable.ts'].map(
  (file) => `${server}/platform/database/${file}`,
);

/** Tables written by statements or SQL functions that pick their table from a list at run time. */
const picked: Readonly<Record<string, readonly string[]>> = {
  // Moves rows between the partitions of a table.
  make_partitions_of: [],
  // Erasure and retention delete rows of all modules, by their lists (scripts/check-erasure.ts).
  [`${server}/operations/retention/erase-rows.ts`]: [],
  [`${server}/operations/retention/expired.ts`]: [],
  delete_expired: [],
  [`${server}/identity/contact-details/records.queries.ts`]: [
    'user_addresses',
    'user_socials',
    'organization_addresses',
    'organization_contacts',
    'client_addresses',
    'client_contacts',
    'client_socials',
  ],
};

/** Each pattern captures the name of the table, or nothing if it is not a literal. */
const callsThatWrite = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto|deleteRowsOf|deleteExpired|updateRow|softDeleteRow|restoreRow)\(\s*(?:'(\w+)')?/g,
  // Better Auth writes the tables of its models, rate-limiter-flexible its own.
  /\b(?:modelName|tableName): '(\w+)'/g,
];
const table = String.raw`(?:only\s+)?(?:"?public"?\.)?(?:"?\w+"?|\$\{|%)`;
const statementThatWrites = new RegExp(
  [
    String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|copy|update(?!\s+(?:set|skip|of|nowait)\b))\s+(${table})`,
    String.raw`\btruncate(?:\s+table)?\s+(${table}(?:\s*,\s*${table})*)`,
  ].join('|'),
  'gi',
);
/** Tokens that may contain a semicolon, and the semicolon that ends a statement. */
const sqlToken = /--.*|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|\bbegin\s+atomic\b|\b(?:case|end)\b|;/gi;
const sqlHead =
  /^(?:create\s+(?:or\s+replace\s+)?(?:function|procedure|rule)\s+(?:"?public"?\.)?"?(\w+)|(do)\b)/i;
const commentLine = /^\s*(?:\/\/|\/?\*|--).*$/gm;
const noOwner = 'no owner';

interface Write {
  module: string;
  /** A file or a SQL function. */
  place: string;
  /** Undefined if the statement computes it. */
  table: string | undefined;
}

/** @returns one sentence for each table that several modules write, and for each place that breaks the rules above */
export function findOwnerProblems(directory: string): string[] {
  const tables = listTables(directory);
  const product = readProduct(directory);
  const blocks = listBlocks(directory);
  const writes = listWrites(product, blocks);
  const unread = writes
    .filter((write) => write.table === undefined)
    .map(({ place }) => `${place}: which table this writes cannot be read.`);
  // Sentences in the code can look like statements, but do not name an existing table.
  const known = writes.filter((write) => write.table !== undefined && tables.has(write.table));
  const shared = [...Map.groupBy(known, (write) => write.table)].flatMap(([name, ofTable]) => {
    const writers = Map.groupBy(ofTable, ({ module }) => module);
    const list = [...writers].map(
      ([module, ofModule]) => `${module} (${[...new Set(ofModule.map(({ place }) => place))].join(', ')})`,
    );
    if (writers.size > 1) return [`${name} is written by several modules: ${list.join('; ')}.`];
    return writers.has(noOwner) ? [`${name} is written by ${list.join('; ')}.`] : [];
  });
  const modules = new Set([...product.keys()].map(moduleOf));
  const unknown = blocks
    .filter(({ owner }) => owner !== noOwner && !modules.has(owner))
    .map(({ owner, place }) => `${place}: there is no module ${owner}.`);
  return [...new Set(unread), ...shared.toSorted(), ...unknown, ...findForeignCalls(product, blocks)];
}

/** @returns the module that owns each table, by name */
export function listOwners(directory: string): ReadonlyMap<string, string> {
  const tables = listTables(directory);
  const writes = listWrites(readProduct(directory), listBlocks(directory));
  return new Map(
    writes.flatMap(({ table: name, module }) =>
      name !== undefined && tables.has(name) && module !== noOwner ? [[name, module] as const] : [],
    ),
  );
}

const listWrites = (product: ReadonlyMap<string, string>, blocks: readonly Block[]): Write[] =>
  [...listStatements(product), ...blocks.flatMap(writesOf)].flatMap((write) =>
    write.table === undefined
      ? (picked[write.place]?.map((name) => ({ ...write, table: name })) ?? [write])
      : [write],
  );

function listTables(directory: string): ReadonlySet<string> {
  const types = readFileSync(join(directory, server, 'platform/database/types.gen.ts'), 'utf8');
  const names = /export interface DB \{([\s\S]*?)\n\}/.exec(types)?.[1] ?? '';
  return new Set([...names.matchAll(/^\s*(\w+):/gm)].map(([, name = '']) => name));
}

const listStatements = (product: ReadonlyMap<string, string>): Write[] =>
  [...product]
    .filter(([place]) => !platformStatements.includes(place))
    .flatMap(([place, text]) => {
      const module = moduleOf(place);
      const calls = callsThatWrite.flatMap((pattern) =>
        [...text.matchAll(pattern)].map(([, name]) => ({ module, place, table: name })),
      );
      return [...calls, ...writesOf({ owner: module, place, text })];
    });

/** Reads the files of the server, without comments. */
export function readProduct(directory: string): Map<string, string> {
  const places = globSync(`${server}/**/*.ts`, { cwd: directory, exclude: notProduct }).toSorted();
  return new Map(
    places.map((place) => [place, readFileSync(join(directory, place), 'utf8').replaceAll(commentLine, '')]),
  );
}

interface Block {
  owner: string;
  /** Name of a function or rule; otherwise the file. */
  place: string;
  text: string;
}

const writesOf = ({ owner, place, text }: Block): Write[] =>
  [...text.matchAll(statementThatWrites)].flatMap(([, one = '', several = one]) =>
    several.split(',').map((name) => ({ module: owner, place, table: /(\w+)"?$/.exec(name.trim())?.[1] })),
  );

/** Lists functions, procedures, rules and `do` blocks of all files, and statements of files that are applied repeatedly. */
const listBlocks = (directory: string): Block[] =>
  globSync('db/**/*.sql', { cwd: directory, exclude: ['db/schema.sql'] })
    .toSorted()
    .flatMap((file) =>
      splitStatements(readFileSync(join(directory, file), 'utf8')).flatMap((statement) => {
        const text = statement.replaceAll(commentLine, '').trim();
        const [, name, isDo] = sqlHead.exec(text) ?? [];
        // Plain statements of a migration run once, and reference data is written before the server starts.
        const runsBefore =
          /^db\/(migrations|reference)\//.test(file) && name === undefined && isDo === undefined;
        const owner = /^-- owner: (\S+)$/m.exec(statement)?.[1] ?? noOwner;
        return runsBefore ? [] : [{ owner, place: name ?? file, text }];
      }),
    );

/** Splits SQL into statements, each with the comments above it. */
function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let [start, depth] = [0, 0];
  for (const { 0: token, index } of text.matchAll(sqlToken)) {
    if (/^(begin|case$)/i.test(token)) depth++;
    else if (/^end$/i.test(token)) depth--;
    else if (token === ';' && depth === 0) {
      statements.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...statements, text.slice(start)];
}

/** Reports calls of functions with another owner, because the caller would write the owner's tables. */
function findForeignCalls(product: ReadonlyMap<string, string>, blocks: readonly Block[]): string[] {
  const owned = blocks.filter(({ owner, text }) => owner !== noOwner && /^create\b/i.test(text));
  return [...product].flatMap(([place, text]) =>
    owned
      .filter(({ owner, place: name }) => owner !== moduleOf(place) && new RegExp(`\\b${name}\\b`).test(text))
      .map(({ owner, place: name }) => `${place} calls ${name}, which belongs to ${owner}.`),
  );
}

/** Returns for example `identity/members` or `outreach/channels/email`; a layer without folders is one module. */
export function moduleOf(place: string): string {
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
