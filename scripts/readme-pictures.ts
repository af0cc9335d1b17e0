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

// npm run readme:pictures: starts Reachout with a new demo, and makes the pictures of the README from it.

const folder = join(root, 'docs/pictures');
const viewport = { width: 1280, height: 800 };

const dataDir = await mkdtemp(join(tmpdir(), 'reachout-pictures-'));
// As root without user namespaces PostgreSQL runs as nobody, who has to get through here.
await chmod(dataDir, 0o711);
const { child, demoUrl } = await startDemo();
const browser = await chromium.launch({
  executablePath: await findOrInstallChromium(),
  args: [...chromiumArgs],
});
try {
  await takePictures(browser);
} finally {
  await browser.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
  await rm(dataDir, { recursive: true, force: true });
}

async function startDemo(): Promise<{ child: ChildProcess; demoUrl: string }> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const server = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    env: { ...process.env, LANG: 'en_US.UTF-8', PORT: String(port), DATA_DIR: join(dataDir, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let link: string | undefined;
  for await (const line of createInterface(server.stdout)) {
    if (line.includes('/demo/key/')) link = line.trim();
    if (line.includes('Stop it with')) break;
  }
  if (link === undefined) throw new Error('The start gave no link to a demo.');
  return { child: server, demoUrl: link };
}

/** A page on the dashboard of the demo. */
async function openDashboard(from: Browser): Promise<Page> {
  const context = await from.newContext({
    viewport,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(demoUrl);
  await page.getByRole('row', { name: /^Nordwind Outdoor/ }).waitFor();
  return page;
}

async function takePictures(from: Browser): Promise<void> {
  const page = await openDashboard(from);
  await page.waitForLoadState('networkidle');
  await writePicture(
    'dashboard',
    await page.screenshot({ clip: { x: 0, y: 0, ...viewport, height: 940 }, fullPage: true }),
  );
  const [, origin = '', organization = ''] = /^(.+)\/o\/([\da-f-]+)/.exec(page.url()) ?? [];
  const response = await page.request.get(
    `${origin}/api/touchpoints?organization_id=${organization}&order=opened.desc&page_size=1`,
  );
  if (!response.ok()) throw new Error(`The list of touchpoints gave ${response.status()}.`);
  const { items } = (await response.json()) as { items: { id: string }[] };
  await page.goto(`${origin}/o/${organization}/touchpoints/${items[0]!.id}/statistics`);
  await page.getByText('First 48 hours').first().click();
  await page.waitForLoadState('networkidle');
  await writePicture('results', await page.screenshot());
  await page.context().close();
}

async function writePicture(name: string, png: Buffer): Promise<void> {
  const small = await sharp(png).png({ palette: true, effort: 10 }).toBuffer();
  await writeFile(join(folder, `${name}.png`), small);
}
