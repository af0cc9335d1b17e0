import { defineConfig } from '@playwright/test';
import { chromiumArgs, findOrInstallChromium } from './scripts/chromium.ts';

/**
 * Journeys through the built web app in the system's Chromium. Start them with `npm test -- e2e`, which builds the
 * web app first. The tests start their own servers, on copies of the database that the global set-up migrates.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './scripts/test-setup.ts',
  forbidOnly: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    // Without the word "Headless", which makes opens and clicks those of a machine (docs/tracking.md).
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 10_000,
    navigationTimeout: 20_000,
    launchOptions: { executablePath: await findOrInstallChromium(), args: [...chromiumArgs] },
  },
});
