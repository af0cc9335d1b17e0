// The allowed imports, as rules for oxlint.config.ts. In oxlint a later override replaces an earlier one for the same
// rule, so each kind of file gets its complete list.

/** The layers of apps/server/src and apps/web/src from the bottom up: a layer may import itself and those before it. */
export const serverLayers = [
  'platform',
  'email',
  'identity',
  'ledger',
  'clients',
  'content',
  'contacts',
  'outreach',
  'queue',
  'events',
  'delivery',
  'insight',
  'sample',
  'operations',
] as const;

export const webLayers = [
  'platform',
  'i18n',
  'ui',
  'identity',
  'clients',
  'content',
  'contacts',
  'outreach',
  'delivery',
  'insight',
  'operations',
  'dashboard',
  'shell',
  'routes',
] as const;

/** Files directly in apps/server/src: they compose the layers, and no layer imports them. */
export const compositionFiles = [
  'api-docs',
  'app',
  'http-server',
  'import-main',
  'inbound-role',
  'main',
  'router',
  'start-route',
  'services',
  'web-app',
  'worker',
  'worker-connections',
  'supervise-worker',
  'worker-main',
] as const;

/** Layers that import no other layer but `platform`, so that they can be read and tested in isolation. */
const standalone: readonly string[] = ['email'];

/** Layers whose statements are their interface, with the layer that may import them. */
const openStatements: Readonly<Record<string, string>> = { queue: 'delivery', content: 'contacts' };

/** Writes rows into the tables of all layers, for the demo, tests, benchmarks and browser tests. */
const sampleLayer = 'sample';

/** The only place that may build SQL from text, for migrations and settings. */
const sqlFromText = ['apps/server/src/platform/database/**'];

/** Files that build SQL fragments for statements of several modules. */
const sharedSql = [
  'apps/server/src/clients/figures/figures-sql.ts',
  'apps/server/src/content/built-in/filter-rule-sql.ts',
  'apps/server/src/contacts/audiences/audience-sql.ts',
  'apps/server/src/queue/contact-deliveries-sql.ts',
  'apps/server/src/queue/failures-sql.ts',
];

const server = 'apps/server/src';
const web = 'apps/web/src';
const tests = ['**/*.test.ts', '**/*.test.tsx'];

type Rules = Record<string, 'error' | ['error', ...unknown[]]>;

interface Override {
  files: string[];
  excludeFiles?: string[];
  rules: Rules;
}

interface Pattern {
  regex: string;
  importNames?: readonly string[];
  message: string;
}

interface Path {
  name: string;
  importNames?: string[];
  message: string;
}

/** @returns the overrides that enforce the layers */
export const importRules = (): Override[] => [
  ...serverLayers.flatMap(serverLayerOverrides),
  demoOverride(),
  ...serverOverrides(),
  ...webLayers.map(webLayerOverride),
  ...webOverrides(),
  contractOverride(),
];

function serverLayerOverrides(layer: (typeof serverLayers)[number]): Override[] {
  const patterns = [...serverLayerPatterns(layer), ...(layer === sampleLayer ? [] : [samplePattern])];
  const paths = layer === 'platform' ? [] : programPaths;
  const upwards = { regex: '\\.routes\\.ts$', message: 'Statements know nothing of routes.' };
  return [
    {
      files: [`${server}/${layer}/**`],
      excludeFiles: [...tests, '**/*.queries.ts', `${server}/platform/database/**`, ...sharedSql],
      rules:
        layer === sampleLayer
          ? restrictImports(paths, patterns)
          : restrictImports([sqlPath, ...paths], [...patterns, statementsPattern]),
    },
    {
      files: [
        `${server}/${layer}/**/*.queries.ts`,
        ...sharedSql.filter((file) => file.startsWith(`${server}/${layer}/`)),
      ],
      rules: restrictImports(paths, [...patterns, upwards]),
    },
  ];
}

function serverLayerPatterns(layer: (typeof serverLayers)[number]): Pattern[] {
  const higher = serverLayers.slice(serverLayers.indexOf(layer) + 1);
  const hidden = standalone.includes(layer)
    ? serverLayers.filter((other) => other !== layer && other !== 'platform')
    : higher;
  const others = serverLayers.filter((other) => other !== layer && other !== 'platform');
  return [
    ...(hidden.length > 0
      ? [fromLayers(hidden, '', 'A layer imports only itself and lower layers: scripts/import-rules.ts.')]
      : []),
    ...(layer === sampleLayer
      ? []
      : [
          fromLayers(
            others.filter((other) => openStatements[other] !== layer),
            '.*\\.queries\\.ts$',
            'Statements are private to their layer: call a function of the module.',
          ),
        ]),
    { regex: '^\\.\\./.*\\.routes\\.ts$', message: 'Routes are private to their module.' },
    ...pathPatterns,
    ...layerPatterns,
  ];
}

/** The only module that may import the layer of samples. */
const demoOverride = (): Override => ({
  files: [`${server}/operations/demo/**`],
  excludeFiles: [...tests, '**/*.queries.ts'],
  rules: restrictImports(
    [sqlPath, ...programPaths],
    [...serverLayerPatterns('operations'), statementsPattern],
  ),
});

/** @param rest  regular expression for the path after the layer's name */
function fromLayers(names: readonly string[], rest: string, message: string): Pattern {
  return { regex: `^(\\.\\./)+(${names.join('|')})/${rest}`, message };
}

/** The other patterns match paths as they are written, so each file must have only one path that leads to it. */
const pathPatterns: Pattern[] = [
  {
    regex: '^\\./\\.\\.|[^./]/\\.\\.(/|$)|/\\.?/|(^|/)src/|^/|^file:',
    message: 'Write the shortest path: no detours, no src/.',
  },
  {
    regex: '^@reachout/(server|web)(/|$)',
    message: 'Server and web app are no packages to import: write the path.',
  },
];

const testingPattern: Pattern = {
  regex: '^(\\.\\./|\\./)+testing/',
  message: 'Only tests use apps/server/src/testing.',
};

const samplePattern: Pattern = {
  regex: '^(\\.\\./|\\./)+sample/',
  message: 'Only the demo, tests, benchmarks and browser tests use apps/server/src/sample.',
};

const layerPatterns: Pattern[] = [
  {
    regex: `^(\\.\\./)+(${compositionFiles.join('|')})\\.ts$`,
    message: 'Composition files import the layers, never the other way.',
  },
  testingPattern,
];

const sqlPath: Path = {
  name: 'kysely',
  importNames: ['sql'],
  message: 'Statements live in *.queries.ts.',
};

/** What executes statements in SQL, beside types and transactions that all may import. */
const statementsPattern: Pattern = {
  regex: '/database/database\\.ts$',
  importNames: [
    'execute',
    'firstRowOf',
    'firstValueOf',
    'hasRows',
    'onlyRowOf',
    'onlyValueOf',
    'rowsOf',
    'valuesOf',
  ],
  message: sqlPath.message,
};

const programPaths: Path[] = ['child_process', 'node:child_process'].map((name) => ({
  name,
  message: 'Only apps/server/src/platform may start programs.',
}));

const serverOverrides = (): Override[] => [
  {
    files: [`${server}/platform/database/**`],
    excludeFiles: tests,
    rules: restrictImports(
      [],
      [
        ...pathPatterns,
        ...layerPatterns,
        fromLayers(serverLayers.slice(1), '', 'platform knows no other layer.'),
      ],
    ),
  },
  {
    files: [`${server}/*.ts`],
    excludeFiles: tests,
    rules: restrictImports(
      [sqlPath, ...programPaths],
      [...pathPatterns, testingPattern, samplePattern, statementsPattern],
    ),
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

function webLayerOverride(layer: string, index: number): Override {
  const higher = webLayers.slice(index + 1);
  return {
    files: [`${web}/${layer}/**`],
    excludeFiles: tests,
    rules: restrictImports(
      [],
      [
        ...webPatterns,
        { regex: '^\\.\\./', message: 'Import from another folder by its subpath: #web/….' },
        { regex: '^#web/[^/]+$', message: 'Composition files import the layers, never the other way.' },
        ...(higher.length > 0
          ? [
              {
                regex: `^#web/(${higher.join('|')})/`,
                message: 'A layer imports only itself and lower layers: scripts/import-rules.ts.',
              },
            ]
          : []),
      ],
    ),
  };
}

const noServer = 'The web app sees the contract, never the server.';
const noNode: Pattern = { regex: '^node:', message: 'This runs in browsers.' };
const webPatterns: Pattern[] = [...pathPatterns, outsideOf('server', noServer), noNode];

const webOverrides = (): Override[] => [
  { files: [`${web}/*.{ts,tsx}`], excludeFiles: tests, rules: restrictImports([], webPatterns) },
  {
    files: [`${web}/**`],
    excludeFiles: tests,
    rules: {
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
  },
];

function contractOverride(): Override {
  const message = 'The contract is shared by server and web: it knows neither.';
  return {
    files: ['packages/contract/src/**'],
    excludeFiles: tests,
    rules: restrictImports(
      [],
      [{ regex: '^@reachout/', message }, ...pathPatterns, outsideOf('server|web', message), noNode],
    ),
  };
}

/** Matches relative paths into the source of another workspace. */
function outsideOf(names: string, message: string): Pattern {
  return { regex: `^(\\.\\./)+(apps/)?(${names})/`, message };
}

function restrictImports(paths: Path[], patterns: Pattern[]): Rules {
  return { 'no-restricted-imports': ['error', { paths, patterns }] };
}
