import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Maximum files per process. A process uses 0.7 s of CPU to load the server, and most start template processes, which use as
 * much. But with too few processes, a CPU would be idle at the end of a run.
 */
const mostFiles = 16;

/**
 * Distributes files over batches, each for one process. Neighbors, which cost about the same, get into different batches.
 * @param processes  how many run concurrently: each gets a batch if there are enough files
 */
export function dealIntoBatches(files: readonly string[], processes: number): string[][] {
  const count = Math.min(files.length, Math.max(processes, Math.ceil(files.length / mostFiles)));
  return Array.from({ length: count }, (_, batch) => files.filter((_file, index) => index % count === batch));
}

/**
 * Writes a file for `node --test` that runs test files one after the other in its process. A file that cannot be loaded
 * fails without affecting the others.
 * @param files  absolute paths
 * @returns its path
 */
export async function writeBatch(folder: string, name: string, files: readonly string[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.mjs`);
  const urls = files.map((file) => pathToFileURL(file).href);
  await writeFile(
    path,
    `import { before, test } from 'node:test';
const { promise, resolve } = Promise.withResolvers();
// No test runs while files are being loaded.
before(() => promise);
for (const url of ${JSON.stringify(urls, undefined, 2)}) {
  try {
    await import(url);
  } catch (error) {
    test(\`loads \${url}\`, () => { throw error; });
  }
}
resolve();
`,
  );
  return path;
}
