import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

type Outcome<Made> = { made: Made } | { error: string };

/**
 * For what takes long to make, and what several processes of the test runner need: the first makes it, the others wait
 * for it as long as their own time limits let them.
 * @param folder  where they meet; nobody else makes it
 * @returns what was made, as it comes out of JSON
 */
export async function makeOnce<Made>(folder: string, make: () => Promise<Made>): Promise<Made> {
  const path = `${folder}/outcome.json`;
  const isFirst = (await mkdir(folder, { recursive: true })) !== undefined;
  if (isFirst) {
    const outcome = await make().then(
      (made): Outcome<Made> => ({ made }),
      (error: unknown): Outcome<Made> => ({ error: String(error) }),
    );
    // Nobody reads half of it.
    await writeFile(`${path}.part`, JSON.stringify(outcome));
    await rename(`${path}.part`, path);
  }
  while (!existsSync(path)) await wait(50);
  const outcome = JSON.parse(await readFile(path, 'utf8')) as Outcome<Made>;
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome.made;
}
