import { buildWeb } from './build-web.ts';
import { findOrInstallChromium } from './chromium.ts';
import { runCommand } from './run-command.ts';

// npm run pictures: updates the screenshots that have changed (e2e/picture.ts). Review the files that `git status`
// lists before you commit them.

await buildWeb();
const { problem } = await runCommand(
  'playwright',
  ['test', '--reporter=list', '--update-snapshots=changed', 'e2e/screens.spec.ts'],
  {
    timeoutMs: 10 * 60_000,
    stopSignal: 'SIGINT',
    env: { NODE_ENV: 'test', CHROMIUM_PATH: await findOrInstallChromium() },
  },
);
if (problem !== undefined) {
  console.error(`Playwright ${problem}`);
  process.exitCode = 1;
}
