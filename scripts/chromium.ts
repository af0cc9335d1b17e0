import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Only for tests that open our own pages: root needs `--no-sandbox`. Other switches keep the browser from contacting its
 * vendor.
 */
export const chromiumArgs: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  // Makes text rendering the same on every machine.
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Finds a Chromium or Chrome: `CHROMIUM_PATH`, then the PATH, then macOS applications. If it is missing, root installs it
 * with apt-get.
 * @returns path of the program
 * @throws Error if there is none and it cannot be installed; the message says what to do
 */
export async function findOrInstallChromium(): Promise<string> {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') {
    if (!isProgram(given)) throw new Error(`CHROMIUM_PATH is ${given}, which is not a program`);
    return given;
  }
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && findOnPath('apt-get') !== undefined) installWithApt();
  const installed = findChromium();
  if (installed !== undefined) return installed;
  throw new Error(
    'The browser tests need Chromium. Install it (Debian: "apt-get install chromium-headless-shell", Ubuntu: "apt-get install chromium", ' +
      'macOS: "brew install --cask chromium") or set CHROMIUM_PATH to a Chromium or Chrome.',
  );
}

// The headless shell comes first: it does not render to a screen, and takes a quarter less time.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const macApplications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

function findChromium(): string | undefined {
  for (const name of names) {
    const path = findOnPath(name);
    if (path !== undefined) return path;
  }
  return process.platform === 'darwin' ? macApplications.find(isProgram) : undefined;
}

function findOnPath(name: string): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
  return directories.map((directory) => join(directory, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Also installs a font, because without one the pages have no text to measure. apt prints its own errors. */
function installWithApt(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const packages = ['chromium-headless-shell', 'fonts-liberation'];
  // A single broken package source makes the update fail, but must not prevent the installation.
  for (const args of [
    ['update', '--quiet'],
    ['install', '--yes', '--no-install-recommends', ...packages],
  ]) {
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'], timeout: 600_000 });
  }
}
