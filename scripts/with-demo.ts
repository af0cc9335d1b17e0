import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Browser, type Page } from '@playwright/test';
import { chromiumArgs, findOrInstallChromium } from './chromium.ts';
import { root } from './run-command.ts';

/** Starts Reachout with a new demo and a browser on its dashboard; afterwards stops both and removes all data. */
export async function withDemo(
  viewport: { width: number; height: number },
  use: (page: Page, browser: Browser) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'reachout-pictures-'));
  // As root without user namespaces, PostgreSQL runs as the user nobody, which needs access to this directory.
  await chmod(dataDir, 0o711);
  const { child, demoUrl } = await startDemo(dataDir);
  const browser = await chromium.launch({
    executablePath: await findOrInstallChromium(),
    args: [...chromiumArgs],
  });
  try {
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
    await use(page, browser);
  } finally {
    await browser.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startDemo(dataDir: string): Promise<{ child: ChildProcess; demoUrl: string }> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    env: { ...process.env, LANG: 'en_US.UTF-8', PORT: String(port), DATA_DIR: join(dataDir, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let demoUrl: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    if (line.includes('/demo/key/')) demoUrl = line.trim();
    if (line.includes('Stop it with')) break;
  }
  if (demoUrl === undefined) throw new Error('The start gave no link to a demo.');
  return { child, demoUrl };
}

/** Finds the statistics page of the email that most people opened. */
export async function findBestResults(page: Page): Promise<{ name: string; url: string }> {
  const [, origin = '', organization = ''] = /^(.+)\/o\/([\da-f-]+)/.exec(page.url()) ?? [];
  const response = await page.request.get(
    `${origin}/api/touchpoints?organization_id=${organization}&order=opened.desc&page_size=1`,
  );
  if (!response.ok()) throw new Error(`The list of touchpoints gave ${response.status()}.`);
  const { items } = (await response.json()) as { items: { id: string; name: string }[] };
  const { id, name } = items[0]!;
  return { name, url: `${origin}/o/${organization}/touchpoints/${id}/statistics` };
}
