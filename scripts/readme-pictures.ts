import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Browser, type Page } from '@playwright/test';
import sharp from 'sharp';
import { chromiumArgs, findOrInstallChromium } from './chromium.ts';
import { root } from './run-command.ts';

// npm run readme:pictures: starts Reachout with a new demo, and takes the screenshots of the README.

const viewport = { width: 1280, height: 800 };

await withDemo(takePictures);

async function takePictures(page: Page): Promise<void> {
  await writePicture(
    'dashboard',
    await page.screenshot({ clip: { x: 0, y: 0, ...viewport, height: 940 }, fullPage: true }),
  );
  await page.goto((await findBestResults(page)).url);
  await page.getByText('First 48 hours').first().click();
  await page.waitForLoadState('networkidle');
  await writePicture('results', await page.screenshot());
}

async function writePicture(name: string, png: Buffer): Promise<void> {
  const small = await sharp(png).png({ palette: true, effort: 10 }).toBuffer();
  await writeFile(join(root, 'docs/pictures', `${name}.png`), small);
}

/**
 * Starts Reachout with a new demo and a browser on its dashboard; afterwards, or after a signal, stops both and removes all
 * data.
 */
async function withDemo(use: (page: Page) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'reachout-pictures-'));
  // As root without user namespaces, PostgreSQL runs as the user nobody, which needs access to this directory.
  await chmod(dataDir, 0o711);
  const child = await startDemo(dataDir);
  const ended = once(child, 'exit');
  let browser: Browser | undefined;
  // Whatever waits for one of both fails.
  const interrupt = () => {
    child.kill('SIGTERM');
    void browser?.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
  try {
    const demoUrl = await readDemoUrl(child);
    browser = await chromium.launch({
      executablePath: await findOrInstallChromium(),
      args: [...chromiumArgs],
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    const context = await browser.newContext({
      viewport,
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(demoUrl);
    await page.getByRole('row', { name: /^Nordwind Outdoor/ }).waitFor();
    await page.waitForLoadState('networkidle');
    await use(page);
  } finally {
    await browser?.close();
    child.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startDemo(dataDir: string): Promise<ChildProcess> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    env: { ...process.env, LANG: 'en_US.UTF-8', PORT: String(port), DATA_DIR: join(dataDir, 'data') },
    // It ends when the channel closes, so also when this process is killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

async function readDemoUrl(child: ChildProcess): Promise<string> {
  let demoUrl: string | undefined;
  const lines = createInterface(child.stdout!);
  // A build that it has started may keep the output open.
  child.once('exit', () => lines.close());
  for await (const line of lines) {
    if (line.includes('/demo/key/')) demoUrl = line.trim();
    if (line.includes('Stop it with')) break;
  }
  if (demoUrl === undefined) throw new Error('The start gave no link to a demo.');
  return demoUrl;
}

/** Finds the statistics page of the email that most people opened. */
async function findBestResults(page: Page): Promise<{ name: string; url: string }> {
  const [, origin = '', organization = ''] = /^(.+)\/o\/([\da-f-]+)/.exec(page.url()) ?? [];
  const response = await page.request.get(
    `${origin}/api/touchpoints?organization_id=${organization}&order=opened.desc&page_size=1`,
  );
  if (!response.ok()) throw new Error(`The list of touchpoints gave ${response.status()}.`);
  const { items } = (await response.json()) as { items: { id: string; name: string }[] };
  const { id, name } = items[0]!;
  return { name, url: `${origin}/o/${organization}/touchpoints/${id}/statistics` };
}
