import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Packages whose index re-exports many modules, of which pages need a few; and that index, the one that the bundler takes. */
const packages = {
  '@mantine/core': 'esm/index.mjs',
  '@mantine/hooks': 'esm/index.mjs',
  '@mantine/notifications': 'esm/index.mjs',
  '@mantine/nprogress': 'esm/index.mjs',
  '@tabler/icons-react': 'dist/esm/tabler-icons-react.mjs',
  '@tanstack/query-core': 'build/modern/index.js',
  '@tanstack/react-query': 'build/modern/index.js',
} as const;
const packageNames = Object.keys(packages) as (keyof typeof packages)[];

/**
 * Imports each thing from the module that has it rather than from the index of its package. The bundler then reads
 * thousands of modules less, and the graph of modules says what a page really needs (`chunks.ts` asks it).
 */
export function directImports(): Plugin {
  const indexes = new Map<string, Index>(packageNames.map((name) => [name, readIndex(name)]));
  const pattern = new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*['"](${packageNames.join('|')})['"];?`, 'g');
  return {
    name: 'direct-imports',
    enforce: 'pre',
    transform: {
      filter: { id: /\.(?:tsx?|mjs)(?:$|\?)|\/@tanstack\/react-query\/.*\.js$/, code: pattern },
      handler: (code) => ({
        code: code.replaceAll(pattern, (statement: string, names: string, from: string) =>
          writeImports(statement, names, indexes.get(from)!),
        ),
        map: null,
      }),
    },
  };
}

/**
 * Every table of the library imports its own scroll bars, and with them what places menus, though tables scroll natively here
 * (`theme.ts`): a tenth of the first load that nobody would see.
 */
export function nativeTables(): Plugin {
  const name = '\0native-tables';
  return {
    name: 'native-tables',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\/ScrollArea\.mjs$/ },
      handler: (_source, importer) => (importer?.endsWith('/TableScrollContainer.mjs') ? name : undefined),
    },
    load: (id) => (id === name ? "export const ScrollArea = 'div';" : undefined),
  };
}

/** By the name under which the index exports it: where it is, and what it is called there. */
type Index = Map<string, { path: string; name: string }>;

/** On one line, so that lines keep their numbers as far as possible. */
function writeImports(statement: string, names: string, index: Index): string {
  const wanted = splitNames(names).filter(([name]) => !name.startsWith('type '));
  if (wanted.some(([name]) => !index.has(name))) return statement;
  return wanted
    .map(([name, alias]) => {
      const origin = index.get(name)!;
      return `import { ${origin.name} as ${alias} } from ${JSON.stringify(origin.path)};`;
    })
    .join(' ');
}

function readIndex(packageName: keyof typeof packages): Index {
  const file = join(import.meta.dirname, '../../node_modules', packageName, packages[packageName]);
  const code = readFileSync(file, 'utf8');
  const imported: Index = new Map();
  const exported: Index = new Map();
  // What another package exports, besides.
  for (const [, from] of code.matchAll(/export \* from "([^"]+)"/g))
    for (const [name, origin] of readIndex(from as keyof typeof packages)) exported.set(name, origin);
  const passedOn = /(import|export)\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g;
  for (const [, kind, names, from] of code.matchAll(passedOn)) {
    const path = from!.startsWith('.') ? join(dirname(file), from!) : from!;
    for (const [name, alias] of splitNames(names!))
      (kind === 'import' ? imported : exported).set(alias, { path, name });
  }
  for (const [, names] of code.matchAll(/export\s*\{([^}]*)\};/g))
    for (const [name, alias] of splitNames(names!)) {
      const origin = imported.get(name);
      if (origin !== undefined) exported.set(alias, origin);
    }
  return exported;
}

/** Of `a, b as c`: each name and what it is called from then on. */
const splitNames = (names: string): [name: string, alias: string][] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => name.split(/\s+as\s+/))
    .map(([name, alias = name!]) => [name!, alias]);
