import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Response } from '@playwright/test';
import { median, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import { readCookies, withWebApp } from './support/web-app.ts';

// The first load of sign-in, dashboard and the statistics of a sent email with an empty browser cache: on a desktop, and on a
// phone with a quarter of the CPU speed and fast 4G. Values are medians of `--repeats` loads. The dashboard is also counted until
// the network is idle, with what the app loads for later clicks.

const pages = ['sign_in', 'dashboard', 'statistics'] as const;
const devices = {
  desktop: { width: 1_440, height: 900, slowdown: 1, network: undefined, lcpMs: 800 },
  phone: { width: 390, height: 844, slowdown: 4, network: '4g', lcpMs: 2_500 },
} as const;
const ceilings = {
  sign_in: { kb: 200, requests: 18 },
  dashboard: { kb: 240, requests: 18 },
  statistics: { kb: 350, requests: 40 },
} as const;
/** Of the dashboard, until the network is idle. */
const idleCeiling = { kb: 300, requests: 20 };
const maxShift = 0.02;
/** Without a response for this long, the network is idle. */
const idleMs = 1_000;

/** The preset of Chrome's developer tools; throughput in bytes per second. */
const fast4g = { offline: false, latency: 165, downloadThroughput: 1_012_500, uploadThroughput: 168_750 };

export const metrics = ['first_load'];

export const run = (): Promise<Metric[]> =>
  withWebApp(async ({ browser, url, cookie, organizationId, touchpointId }) => {
    const dashboard = `/o/${organizationId}`;
    const statistics = `${dashboard}/touchpoints/${touchpointId}/statistics`;
    return await measureAll(browser, { url, paths: { sign_in: '/sign-in', dashboard, statistics }, cookie });
  });

interface Site {
  url: string;
  paths: Record<(typeof pages)[number], string>;
  /** Session cookie of a signed-in user. */
  cookie: string;
}

async function measureAll(browser: Browser, site: Site): Promise<Metric[]> {
  const found: Metric[] = [];
  for (const page of pages)
    for (const device of ['desktop', 'phone'] as const) {
      const loads: Load[] = [];
      for (let turn = 0; turn < readNumber('repeats', 5); turn += 1)
        loads.push(await measureLoad(browser, site, page, device));
      const of = (key: keyof Load) => median(loads.map((load) => load[key]));
      const name = `first_load_${page}_${device}`;
      say(`  ${page}, ${device}: LCP ${loads.map(({ lcpMs }) => Math.round(lcpMs)).join(', ')} ms`);
      found.push(
        toMetric(`${name}_lcp`, of('lcpMs'), 'ms', devices[device].lcpMs),
        toMetric(`${name}_cls`, of('shift'), 'score', maxShift),
        toMetric(`${name}_scripts`, of('kb'), 'kB', ceilings[page].kb),
        toMetric(`${name}_requests`, of('requests'), 'requests', ceilings[page].requests),
      );
      if (page === 'dashboard')
        found.push(
          toMetric(`${name}_idle_scripts`, of('idleKb'), 'kB', idleCeiling.kb),
          toMetric(`${name}_idle_requests`, of('idleRequests'), 'requests', idleCeiling.requests),
        );
    }
  return found;
}

interface Load {
  lcpMs: number;
  shift: number;
  /** Scripts, compressed. */
  kb: number;
  requests: number;
  idleKb: number;
  idleRequests: number;
}

async function measureLoad(
  browser: Browser,
  { url, paths, cookie }: Site,
  name: (typeof pages)[number],
  device: keyof typeof devices,
): Promise<Load> {
  const { width, height, slowdown, network } = devices[device];
  const context = await browser.newContext({ viewport: { width, height } });
  if (name !== 'sign_in') await context.addCookies(readCookies(cookie, url));
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await session.send('Network.enable');
  if (network) await session.send('Network.emulateNetworkConditions', fast4g);
  await page.addInitScript(watchPaint);
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  await page.goto(`${url}${paths[name]}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  const seen = await page.evaluate<{ lcpMs: number; shift: number; end: number }>(readPaint);
  const first = responses.filter((response) => response.request().timing().startTime < seen.end);
  const kb = await weighScripts(first);
  const loaded = { lcpMs: seen.lcpMs, shift: seen.shift, kb, requests: first.length };
  if (name === 'dashboard') {
    await page.waitForFunction(() => performance.getEntriesByName('reachout.first-load').length > 0);
    await waitUntilIdle(responses);
  }
  const idle = { idleKb: await weighScripts(responses), idleRequests: responses.length };
  await context.close();
  return { ...loaded, ...idle };
}

async function waitUntilIdle(responses: readonly Response[]): Promise<void> {
  for (let count = -1; count !== responses.length; await delay(idleMs)) count = responses.length;
}

async function weighScripts(responses: Response[]): Promise<number> {
  const scripts = responses.filter((response) => response.request().resourceType() === 'script');
  const bodies = await Promise.all(scripts.map((response) => response.body()));
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1_000;
}

/** Runs in the page before all other scripts. */
const watchPaint = `(() => {
  const seen = { lcpMs: 0, shift: 0 };
  window.__seen = seen;
  const watch = (type, read) =>
    new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({ type, buffered: true });
  watch('largest-contentful-paint', ({ startTime }) => (seen.lcpMs = startTime));
  watch('layout-shift', ({ value, hadRecentInput }) => (seen.shift += hadRecentInput ? 0 : value));
})()`;

/** Runs in the page. `end` is when the first load ends (apps/web/src/platform/load-later.ts). */
const readPaint = `({
  ...window.__seen,
  end: performance.timeOrigin + (performance.getEntriesByName('reachout.first-load')[0]?.startTime ?? Infinity),
})`;
