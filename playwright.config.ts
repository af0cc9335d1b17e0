import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumArgs, findOrInstallChromium } from './scripts/chromium.ts';

/** The longest tests start first, so that none of them is left at the end. */
const long = ['first-campaign.spec.ts', 'installation.spec.ts', 'screens.spec.ts', 'tutorial.spec.ts'];

/** Test pages live for seconds: optimizing hot code takes a tenth of the CPU time, and saves none. */
const withoutOptimization = '--js-flags=--no-opt,--no-maglev';

/**
 * End-to-end tests of the built web app in the system's Chromium. Run them with `npm test -- e2e`, which builds the web
 * app first. The global set-up starts one server for all of them; they run in parallel.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.ts',
  forbidOnly: true,
  // One more than CPUs: pages spend much of their time waiting for the server and for each other.
  workers: availableParallelism() + 1,
  fullyParallel: true,
  projects: [
    { name: 'long', testMatch: long },
    { name: 'rest', testIgnore: long },
  ],
  // Generous, since a busy machine is slow; without load, no test takes this long.
  timeout: 240_000,
  // Longer than the server itself waits for a template: half a minute. Screenshots differ at the edges of letters between
  // browser versions. Test runs never write them.
  expect: { timeout: 40_000, toHaveScreenshot: { maxDiffPixelRatio: 0.005 } },
  snapshotPathTemplate: 'e2e/pictures/{arg}{ext}',
  updateSnapshots: 'none',
  use: {
    // Without the word "Headless", which would classify opens and clicks as those of a bot (docs/tracking.md).
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 40_000,
    navigationTimeout: 40_000,
    launchOptions: {
      executablePath: await findOrInstallChromium(),
      args: [...chromiumArgs, withoutOptimization],
    },
  },
});
