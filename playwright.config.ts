import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumArgs, findOrInstallChromium } from './scripts/chromium.ts';

/** What takes longest starts first, so that nothing long is left when everything else has ended. */
const long = ['first-campaign.spec.ts', 'screens.spec.ts', 'pictures.spec.ts', 'sign-up-modes.spec.ts'];

/** Pages of tests live for seconds: compiling what runs often once more costs a tenth of the CPU time, and saves none of it. */
const withoutOptimization = '--js-flags=--no-opt,--no-maglev';

/**
 * Journeys through the built web app in the system's Chromium. Start them with `npm test -- e2e`, which builds the
 * web app first. The global set-up starts one server for all of them; they run side by side.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.ts',
  forbidOnly: true,
  // Pages wait much of the time, for the server and for each other.
  workers: availableParallelism() + 1,
  fullyParallel: true,
  projects: [
    { name: 'long', testMatch: long },
    { name: 'rest', testIgnore: long },
  ],
  // What is waited for on a busy machine comes late, and nothing else takes this long.
  timeout: 120_000,
  // Pictures differ by the edges of letters from one version of the browser to the next. None is written by a test run.
  expect: { timeout: 20_000, toHaveScreenshot: { maxDiffPixelRatio: 0.005 } },
  snapshotPathTemplate: 'e2e/pictures/{arg}{ext}',
  updateSnapshots: 'none',
  use: {
    // Without the word "Headless", which makes opens and clicks those of a machine (docs/tracking.md).
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    launchOptions: {
      executablePath: await findOrInstallChromium(),
      args: [...chromiumArgs, withoutOptimization],
    },
  },
});
