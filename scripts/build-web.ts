import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runCommand } from './run-command.ts';

/**
 * Builds apps/web into apps/web/dist, unless it was already built from the same sources.
 * @throws Error if the build fails; the reasons have been printed
 */
export async function buildWeb(): Promise<void> {
  const sources = await digestSources();
  const stamp = join(root, 'apps/web/dist/.sources');
  const built = await readFile(stamp, 'utf8').catch(() => undefined);
  if (built === sources) return;
  console.log('Building the web app, which takes about a minute');
  // Vite empties the directory first, including the stamp, so an incomplete build never counts as complete.
  // Only errors are logged: plugin timings do not interest users of npm start; `npx vite build` in apps/web shows them.
  const { problem } = await runCommand('vite', ['build', '--logLevel=error'], {
    cwd: 'apps/web',
    timeoutMs: 180_000,
    // Browser tests set another NODE_ENV, with which React would be built for development.
    env: { NODE_ENV: 'production' },
  });
  if (problem !== undefined) throw new Error(`The build of apps/web ${problem}`);
  await writeFile(stamp, sources);
}

/** Everything that the result depends on, including the versions of dependencies. */
const inputs = ['apps/web', 'packages', 'package-lock.json', 'tsconfig.base.json'];
const notSources = /(^|\/)(node_modules|dist)(\/|$)|\.test\.tsx?$/;

async function digestSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await listFiles()) hash.update(`${file}\0`).update(await readFile(join(root, file)));
  return hash.digest('hex');
}

async function listFiles(): Promise<string[]> {
  const files: string[] = [];
  for (const input of inputs.filter((path) => existsSync(join(root, path)))) {
    if (input.includes('.')) files.push(input);
    else files.push(...(await listFilesIn(input)));
  }
  return files.toSorted();
}

async function listFilesIn(directory: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(root, directory), { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    if (notSources.test(path)) continue;
    if (entry.isDirectory()) files.push(...(await listFilesIn(path)));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}
