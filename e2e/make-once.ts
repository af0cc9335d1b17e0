import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

type Outcome<Made> = { made: Made } | { error: string };

/**
 * Creates something expensive once for several processes of the test runner: the first process creates it, the others
 * wait for it within their own time limits.
 * @param folder  shared by these processes; only this function creates it
 * @returns the result, after a round trip through JSON
 */
export async function makeOnce<Made>(folder: string, make: () => Promise<Made>): Promise<Made> {
  const path = `${folder}/outcome.json`;
  const isFirst = (await mkdir(folder, { recursive: true })) !== undefined;
  if (isFirst) {
    const outcome = await make().then(
      (made): Outcome<Made> => ({ made }),
      (error: unknown): Outcome<Made> => ({ error: String(error) }),
    );
    // Renamed when complete, so that no process reads a part of it.
    await writeFile(`${path}.part`, JSON.stringify(outcome));
    await rename(`${path}.part`, path);
  }
  while (!existsSync(path)) await wait(50);
  const outcome = JSON.parse(await readFile(path, 'utf8')) as Outcome<Made>;
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome.made;
}
