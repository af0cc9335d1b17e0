import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run-command.ts';

// Who may import whom, as lint rules. After a change here: node scripts/lint-boundaries.ts
// The rules are written out into a file, since a linter's later override replaces an earlier one for the same rule
// instead of adding to it: each kind of file needs its whole list.

/**
 * The rooms of apps/server/src from the bottom up: a room may use those before it, through their verbs and pure
 * files, never through their statements or routes. On top of all are app.ts and main.ts.
 */
export const rooms = [
  'platform',
  'mail',
  'access',
  'system-mail',
  'storage',
  'address-book',
  'users',
  'organizations',
  'clients',
  'brands',
  'content-backend',
  'filters',
  'templates',
  'campaigns',
  'touchpoints',
  'mailbox',
  'sends',
  'tracking',
  'statistics',
  'housekeeping',
  'demo',
] as const;

/** Rooms that stand alone: nothing of the other rooms comes in, so that they can be read and tested by themselves. */
const standalone: readonly string[] = ['platform', 'mail'];

/** The only place that may make SQL out of text: migrations and settings. */
const sqlFromText = ['apps/server/src/platform/database/**'];

/** Pieces of statements that several rooms build theirs with: content rules, out of a typed tree. */
const sharedSql = ['apps/server/src/content-backend/rule-sql.ts'];

export const boundariesFile = '.oxlintrc.boundaries.json';

/** The content of `boundariesFile`. */
export function writeBoundaries(): string {
  const overrides = [
    ...rooms.flatMap(roomOverrides),
    ...serverOverrides(),
    webOverride(),
    contractOverride(),
  ];
  const note = 'Made by scripts/lint-boundaries.ts; change that and run it.';
  return `// ${note}\n${JSON.stringify({ overrides }, null, 2)}\n`;
}

interface Override {
  files: string[];
  excludeFiles?: string[];
  rules: Record<string, unknown[] | 'error'>;
}

interface Pattern {
  regex: string;
  message: string;
}

interface Path {
  name: string;
  importNames?: string[];
  message: string;
}

const orderMessage = 'A room uses only those before it, see scripts/lint-boundaries.ts.';
const tests = ['**/*.test.ts', '**/*.test.tsx'];
const server = 'apps/server/src';

function roomOverrides(room: (typeof rooms)[number], index: number): Override[] {
  const others = rooms.filter((other) => other !== room && other !== 'platform');
  const forbidden = standalone.includes(room)
    ? rooms.filter((other) => other !== room)
    : rooms.slice(index + 1);
  const patterns: Pattern[] = [
    ...(forbidden.length > 0 ? [fromRooms(forbidden, '', orderMessage)] : []),
    fromRooms(
      others,
      '.*\\.(queries|routes)\\.ts$',
      "Other rooms' statements and routes are theirs alone: call a verb.",
    ),
    ...roofPatterns,
  ];
  const paths = room === 'platform' ? [] : shellPaths;
  const jobsAndRoutes = {
    regex: '\\.(routes|jobs)\\.ts$',
    message: 'Statements know nothing of routes and jobs.',
  };
  return [
    {
      files: [`${server}/${room}/**`],
      excludeFiles: [...tests, '**/*.queries.ts', `${server}/platform/database/**`, ...sharedSql],
      rules: restrictImports([sqlPath, ...paths], patterns),
    },
    {
      files: [
        `${server}/${room}/**/*.queries.ts`,
        ...sharedSql.filter((file) => file.startsWith(`${server}/${room}/`)),
      ],
      rules: restrictImports(paths, [...patterns, jobsAndRoutes]),
    },
  ];
}

/** @param rest  regular expression for what follows the room's name */
function fromRooms(names: readonly string[], rest: string, message: string): Pattern {
  return { regex: `^(\\.\\./)+(${names.join('|')})/${rest}`, message };
}

const roofPatterns: Pattern[] = [
  { regex: '^(\\.\\./)+(app|main)\\.ts$', message: 'app.ts and main.ts are on top of all rooms.' },
  { regex: '^(\\.\\./|\\./)+testing/', message: 'Only tests use apps/server/src/testing.' },
];

const sqlPath: Path = {
  name: 'kysely',
  importNames: ['sql'],
  message: 'Statements live in *.queries.ts.',
};

const shellPaths: Path[] = ['child_process', 'node:child_process'].map((name) => ({
  name,
  message: 'Only apps/server/src/platform may start programs.',
}));

function serverOverrides(): Override[] {
  return [
    {
      files: [`${server}/platform/database/**`],
      excludeFiles: tests,
      rules: restrictImports(
        [],
        [...roofPatterns, fromRooms(rooms.slice(1), '', 'platform knows no other room.')],
      ),
    },
    {
      files: [`${server}/*.ts`],
      excludeFiles: tests,
      rules: restrictImports([sqlPath, ...shellPaths], roofPatterns.slice(1)),
    },
    {
      files: [`${server}/**`],
      excludeFiles: [...tests, ...sqlFromText],
      rules: {
        'no-restricted-properties': [
          'error',
          { object: 'sql', property: 'raw', message: 'Bind values; pick names from lists.' },
        ],
      },
    },
    {
      files: [`${server}/**`],
      excludeFiles: [...tests, `${server}/platform/**`, `${server}/testing/**`],
      rules: {
        'no-restricted-globals': ['error', { name: 'fetch', message: "Use platform's guarded client." }],
      },
    },
  ];
}

function webOverride(): Override {
  const message = 'The web app sees the contract, never the server.';
  return {
    files: ['apps/web/src/**'],
    excludeFiles: tests,
    rules: {
      ...restrictImports(
        [],
        [{ regex: '^@reachout/server', message }, fromOutside('server', message), noNode],
      ),
      'no-script-url': 'error',
      'react/jsx-no-script-url': 'error',
      'react/no-danger': 'error',
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({
          property,
          message: 'Show text as text.',
        })),
      ],
    },
  };
}

function contractOverride(): Override {
  const message = 'The contract is shared by server and web: it knows neither.';
  return {
    files: ['packages/contract/src/**'],
    excludeFiles: tests,
    rules: restrictImports(
      [],
      [{ regex: '^@reachout/', message }, fromOutside('server|web', message), noNode],
    ),
  };
}

const noNode: Pattern = { regex: '^node:', message: 'This runs in browsers.' };

/** Relative paths into the source of another workspace. */
function fromOutside(names: string, message: string): Pattern {
  return { regex: `^(\\.\\./)+(apps/)?(${names})/`, message };
}

function restrictImports(paths: Path[], patterns: Pattern[]): Override['rules'] {
  return { 'no-restricted-imports': ['error', { paths, patterns }] };
}

if (import.meta.main) await writeFile(join(root, boundariesFile), writeBoundaries());
