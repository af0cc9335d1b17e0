import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOnce } from './build-once.ts';
import { root, runCommand } from './run-command.ts';

const folder = 'packages/tracker';

const steps = [
  ['rolldown', '--config', 'rolldown.config.ts'],
  ['tsc', '--project', 'tsconfig.build.json'],
] as const;

/**
 * Builds packages/tracker into its dist, unless it was already built from the same sources: `script.js` for script tags, `main.js`
 * with types for applications. It takes two seconds.
 * @throws Error if the build fails; the reasons have been printed
 */
export const buildTracker = (): Promise<void> =>
  buildOnce({
    folder: `${folder}/dist`,
    inputs: [
      folder,
      'packages/contract/src/rules/pages.ts',
      'packages/contract/src/rules/website-hosts.ts',
      'package-lock.json',
      'tsconfig.base.json',
    ],
    build: async () => {
      await rm(join(root, folder, 'dist'), { recursive: true, force: true });
      for (const [name, ...args] of steps) {
        const { problem } = await runCommand(name, args, { cwd: folder, timeoutMs: 60_000 });
        if (problem !== undefined) throw new Error(`The build of ${folder}: ${name} ${problem}`);
      }
    },
  });

// npm pack in packages/tracker
if (import.meta.main) await buildTracker();
