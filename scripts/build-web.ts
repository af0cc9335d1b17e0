import { buildOnce } from './build-once.ts';
import { runCommand } from './run-command.ts';

/**
 * Builds apps/web into apps/web/dist, unless it was already built from the same sources.
 * @throws Error if the build fails; the reasons have been printed
 */
export const buildWeb = (): Promise<void> =>
  buildOnce({
    folder: 'apps/web/dist',
    inputs: ['apps/web', 'packages/contract', 'package-lock.json', 'tsconfig.base.json'],
    build: async () => {
      console.log('Building the web app, which takes about a minute');
      // Only errors are logged: plugin timings do not interest users of npm start; `npx vite build` in apps/web shows them.
      const { problem } = await runCommand('vite', ['build', '--logLevel=error'], {
        cwd: 'apps/web',
        timeoutMs: 600_000,
        // Browser tests set another NODE_ENV, with which React would be built for development.
        env: { NODE_ENV: 'production' },
      });
      if (problem !== undefined) throw new Error(`The build of apps/web ${problem}`);
    },
  });
