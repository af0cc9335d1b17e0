import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run-command.ts';

export interface Build {
  /** Folder of the result, which `build` empties or makes first, and so removes the stamp of an earlier build. */
  folder: string;
  /** Files and folders that the result depends on, with the versions of dependencies. */
  inputs: readonly string[];
  build: () => Promise<void>;
}

/** Builds unless the folder was already built from the same sources. */
export async function buildOnce({ folder, inputs, build }: Build): Promise<void> {
  const sources = await digestSources(inputs);
  const stamp = join(root, folder, '.sources');
  const built = await readFile(stamp, 'utf8').catch(() => undefined);
  if (built === sources) return;
  await build();
  await writeFile(stamp, sources);
}

const notSources = /(^|\/)(node_modules|dist)(\/|$)|\.test\.tsx?$/;

async function digestSources(inputs: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await listFiles(inputs))
    hash.update(`${file}\0`).update(await readFile(join(root, file)));
  return hash.digest('hex');
}

async function listFiles(inputs: readonly string[]): Promise<string[]> {
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
