import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { findMergeBase, git } from './git.ts';

/** Paths relative to the root of the repository, with slashes. */
export interface AffectedTests {
  /** The commit that the working tree is compared with. */
  base: string;
  changed: string[];
  /** Each test file to run, with the reason: the changed file that it depends on, or a rule. */
  reasons: Map<string, string>;
}

/**
 * Finds the tests that a change can affect, committed since the branch left main or not committed yet. A test depends
 * on its direct and indirect imports, on files whose paths it names, and on what its runner starts. Browser tests
 * depend on the whole app.
 */
export function findAffectedTests(root: string, tests: readonly string[]): AffectedTests {
  const base = findMergeBase(root) ?? 'HEAD';
  const changed = listChangedFiles(root, base);
  return { base, changed, reasons: chooseTests(root, tests, changed) };
}

function listChangedFiles(root: string, base: string): string[] {
  const tracked = git(root, 'diff', '--name-only', '--no-renames', base);
  const untracked = git(root, 'ls-files', '--others', '--exclude-standard');
  if (tracked === undefined || untracked === undefined) throw new Error('git cannot tell what has changed.');
  return [...new Set(`${tracked}${untracked}`.split('\n'))].filter((line) => line !== '').toSorted();
}

/** Files that affect every test: packages, compiler options, and the scripts that run the tests. */
const affectsAll =
  /^(package(-lock)?\.json|\.node-version|tsconfig.*\.json|scripts\/(test|test-queue|test-worker|test-setup|test-reporter|run-command|bootstrap)\.m?ts)$|\/package\.json$/;
const affectsDatabase = /^db\//;
const isApp = /^(apps|packages|db)\/(?!.*\.test\.tsx?$)/;
/** Files that a runner starts before the tests of a folder, or of one file, without being imported by them. */
const startedFor: readonly [path: string, files: readonly string[]][] = [
  ['e2e/', ['playwright.config.ts', 'scripts/build-web.ts', 'scripts/build-tracker.ts']],
  ['apps/server/', ['scripts/test-setup.ts']],
  ['scripts/start.test.ts', ['scripts/build-web.ts', 'scripts/build-tracker.ts']],
];
/** A test that lists files checks each of them without naming them. */
const listsFiles = /\b(globSync|readdirSync|readdir|glob)\(/;

/** @returns the tests that have to run, each with the reason */
export function chooseTests(
  root: string,
  tests: readonly string[],
  changed: readonly string[],
): Map<string, string> {
  const everything = changed.find((file) => affectsAll.test(file));
  const database = changed.find((file) => affectsDatabase.test(file));
  const app = changed.find((file) => isApp.test(file));
  const dependencies = createDependencyReader(root);
  const reasons = new Map<string, string>();
  for (const test of tests) {
    const isBrowserTest = test.startsWith('e2e/');
    const started = startedFor.filter(([path]) => test.startsWith(path)).flatMap(([, files]) => files);
    const needed = new Set([test, ...started].flatMap((file) => [...dependencies(file)]));
    const reason =
      everything ??
      (isBrowserTest ? app : undefined) ??
      (test.startsWith('apps/server/') ? database : undefined) ??
      changed.find((file) => needed.has(file)) ??
      (changed.length > 0 && listsFiles.test(read(root, test)) ? 'it lists files' : undefined);
    if (reason !== undefined) reasons.set(test, reason);
  }
  return reasons;
}

/** @returns a function that finds all files that a file depends on, including itself */
function createDependencyReader(root: string): (file: string) => ReadonlySet<string> {
  const resolvePackage = createPackageResolver(root);
  const direct = new Map<string, string[]>();
  const readDirect = (file: string): string[] => {
    const known = direct.get(file);
    if (known !== undefined) return known;
    const found = [...read(root, file).matchAll(pathLiteral)]
      .map(([, path]) => path!)
      .flatMap((path) => [
        path.startsWith('.') ? normalize(join(dirname(file), path)) : (resolvePackage(file, path) ?? path),
      ])
      .filter((path) => !path.startsWith('..') && existsSync(join(root, path)));
    direct.set(file, found);
    return found;
  };
  return (file) => {
    const all = new Set([file]);
    for (const each of all) for (const next of readDirect(each)) all.add(next);
    return all;
  };
}

/** Anything that looks like a file path: of an import, a worker, a program to start or a file to read. */
const pathLiteral =
  /['"`]((?:\.{1,2}\/|[@#\w])[\w@#$./-]*\.(?:tsx?|mjs|css|json|sql|md|html|csv|yaml))['"`]/g;

const isText = /\.(tsx?|mjs)$/;

const read = (root: string, file: string): string =>
  isText.test(file) && existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';

interface Manifest {
  name?: string;
  exports?: Record<string, string>;
  imports?: Record<string, string>;
}

/** Follows `exports` and `imports` of the workspaces, such as `"./*": "./src/*"`. */
function createPackageResolver(root: string): (from: string, path: string) => string | undefined {
  const workspaces = globSync('{apps,packages}/*/package.json', { cwd: root }).map((file) => ({
    folder: dirname(file),
    manifest: JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
  }));
  return (from, path) => {
    for (const { folder, manifest } of workspaces) {
      const isOwn = from.startsWith(`${folder}/`);
      const map = path.startsWith('#') ? (isOwn ? manifest.imports : undefined) : manifest.exports;
      for (const [pattern, target] of Object.entries(map ?? {})) {
        const [prefix = ''] = pattern.replace(/^\./, manifest.name ?? '').split('*');
        if (typeof target === 'string' && path.startsWith(prefix))
          return normalize(join(folder, target.replace('*', path.slice(prefix.length))));
      }
    }
    return undefined;
  };
}
