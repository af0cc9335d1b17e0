import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  columnIn,
  erasedByHand,
  erasedColumns,
  erasedTables,
} from '../apps/server/src/operations/retention/erased-tables.ts';
import { root } from './run-command.ts';

// What is erased leaves no rows behind: each column of a tenant table that names something that can be erased is in a foreign key,
// which the database follows, or in one of the lists of apps/server/src/operations/retention/erased-tables.ts.

/** Columns that name what can be erased: records, their content, persons, browsers and users. */
const namingColumns = [
  ...erasedColumns,
  'client_id',
  'brand_id',
  'campaign_id',
  'address_key',
  'contact_id',
  'visitor_id',
  'user_id',
];

interface Lists {
  erasedTables: typeof erasedTables;
  erasedByHand: typeof erasedByHand;
}

interface Table {
  columns: readonly string[];
  references: readonly { columns: readonly string[]; parent: string; onDelete: string }[];
}

/**
 * @param schema  as in db/schema.sql
 * @returns one sentence for each column that is erased with nothing, and for each entry that is not there
 */
export function findErasureProblems(
  schema: string,
  { erasedTables: listed, erasedByHand: byHand }: Lists = { erasedTables, erasedByHand },
): string[] {
  const tables = readTables(schema);
  const byList = new Set(
    listed.flatMap(({ tables: names, with: kinds }) =>
      names.flatMap((name) =>
        ['organization_id', ...kinds.map((kind) => columnIn(name, kind))].map(
          (column) => `${name}.${column}`,
        ),
      ),
    ),
  );
  // Sends are erased with their touchpoint.
  const bySend = [...byList].flatMap((place) =>
    place.endsWith('.send_id') ? [place.replace('.send_id', '.touchpoint_id')] : [],
  );
  const others = byHand.flatMap(({ columns }) => columns);
  const reached = new Set([...byList, ...bySend, ...others]);
  const tenants = [...tables].filter(([, { columns }]) => columns.includes('organization_id'));
  const missing = tenants.flatMap(([name, table]) =>
    ['organization_id', ...namingColumns]
      .filter((column) => table.columns.includes(column) && !isReferenced(table, column))
      .map((column) => `${name}.${column}`)
      .filter((place) => !reached.has(place)),
  );
  const gone = [...byList, ...others].filter((place) => {
    const [name = '', column = ''] = place.split('.');
    return !tables.get(name)?.columns.includes(column);
  });
  return [
    ...[...new Set(missing)].map(
      (place) => `${place} names what can be erased: no foreign key and no list of erased-tables.ts has it.`,
    ),
    ...gone.map((place) => `erased-tables.ts lists ${place}, which is not in the schema.`),
  ];
}

const isReferenced = ({ references }: Table, column: string): boolean =>
  references.some(
    ({ columns, parent, onDelete }) =>
      columns.includes(column) &&
      (column !== 'organization_id' || (parent === 'organizations' && onDelete === 'cascade')),
  );

function readTables(schema: string): ReadonlyMap<string, Table> {
  const foreignKey = /foreign key \((.+?)\) references (\w+)\(.+?\) on delete (\w+)/gi;
  return new Map(
    [...schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\)/gm)].map(([, name = '', body = '']) => [
      name,
      {
        columns: [...body.matchAll(/^ {2}(?!constraint )"?(\w+)/gm)].map(([, column = '']) => column),
        references: [...body.matchAll(foreignKey)].map(([, columns = '', parent = '', onDelete = '']) => ({
          columns: columns.split(', '),
          parent,
          onDelete: onDelete.toLowerCase(),
        })),
      },
    ]),
  );
}

if (import.meta.main) {
  const problems = findErasureProblems(readFileSync(join(root, 'db/schema.sql'), 'utf8'));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
