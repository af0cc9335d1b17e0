import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Packages whose index re-exports hundreds of modules, of which we need a few. */
const packages = ['@mantine/core', '@mantine/hooks', '@tabler/icons-react'];

/**
 * Imports each thing from the module that has it rather than from the index of its package. The bundler then reads
 * thousands of modules less, and the graph of modules says what a page really needs (`chunks.ts` asks it).
 */
export function directImports(): Plugin {
  const indexes = new Map(packages.map((name) => [name, readIndex(name)]));
  const pattern = new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*['"](${packages.join('|')})['"];?`, 'g');
  return {
    name: 'direct-imports',
    enforce: 'pre',
    transform: {
      filter: { id: /\.(?:tsx?|mjs)(?:$|\?)/, code: pattern },
      handler: (code) => ({
        code: code.replaceAll(pattern, (statement: string, names: string, from: string) =>
          writeImports(statement, names, indexes.get(from)!),
        ),
        map: null,
      }),
    },
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

function readIndex(packageName: string): Index {
  const directory = join(import.meta.dirname, '../../node_modules', packageName);
  const { module } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { module: string };
  const file = join(directory, module);
  const code = readFileSync(file, 'utf8');
  const imported: Index = new Map();
  const exported: Index = new Map();
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
