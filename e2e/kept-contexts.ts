import type { Browser, BrowserContext, CDPSession, Page, ViewportSize } from '@playwright/test';

/** Options of a test in which contexts differ. */
export interface Look {
  locale: string | undefined;
  timezoneId: string | undefined;
  viewport: ViewportSize | null;
}

export interface KeptContexts {
  /** Opens a context that no other test uses meanwhile, with one page, without a session and with nothing stored. */
  open: (look: Look) => Promise<BrowserContext>;
  /** Resets a context for the next test. */
  giveBack: (context: BrowserContext) => Promise<void>;
}

interface KeptContext {
  context: BrowserContext;
  page: Page;
  session: CDPSession;
  look: Look;
  /** Whether the test has done what cannot be taken back. */
  isSpoiled: boolean;
}

/** Of the app's origin, and without scripts. */
const emptyPage = '/favicon.svg';

/** The listeners that tests add. */
const events = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'framenavigated',
  'page',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'weberror',
] as const;

const lasting = {
  page: ['addInitScript', 'exposeBinding', 'exposeFunction', 'setExtraHTTPHeaders'],
  context: [
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'newCDPSession',
    'setExtraHTTPHeaders',
    'setGeolocation',
  ],
  clock: ['fastForward', 'install', 'pauseAt', 'runFor', 'setFixedTime', 'setSystemTime'],
} as const;

/**
 * Keeps browser contexts between the tests of a worker, each with its page: it stays in the process in which the scripts of the
 * app are compiled, and reads these from the cache of the context. A visit takes half of the CPU time.
 *
 * Routes, listeners, storage, cookies, permissions, the connection, the size, the emulated media and the history are reset. A
 * context is closed instead when a test has visited another origin, done something that `lasting` lists, or left something that
 * is stored after the reset.
 */
export function keepContexts(browser: Browser, baseURL: string): KeptContexts {
  let idle: KeptContext[] = [];
  const used = new Map<BrowserContext, KeptContext>();

  async function create(look: Look): Promise<KeptContext> {
    const context = await browser.newContext({ baseURL });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const kept = { context, page, session, look, isSpoiled: false };
    const spoil = () => (kept.isSpoiled = true);
    watchCalls(page, lasting.page, spoil);
    watchCalls(context, lasting.context, spoil);
    watchCalls(context.clock, lasting.clock, spoil);
    return kept;
  }

  return {
    open: async (look) => {
      const isFit = (other: KeptContext) => JSON.stringify(other.look) === JSON.stringify(look);
      for (const { context } of idle.filter((other) => !isFit(other))) await context.close();
      idle = idle.filter(isFit);
      const kept = idle.shift() ?? (await create(look));
      kept.page.on('framenavigated', (frame) => {
        if (/^https?:/.test(frame.url()) && new URL(frame.url()).origin !== baseURL) kept.isSpoiled = true;
      });
      used.set(kept.context, kept);
      return kept.context;
    },
    giveBack: async (context) => {
      const kept = used.get(context)!;
      used.delete(context);
      await stopIntercepting(context);
      const tryReset = () =>
        reset(kept).catch((error: unknown) => {
          resetFailures.push(String(error));
          return false;
        });
      // What the app was still doing when its page was left may interrupt the first attempt, or store something behind it.
      const isReset = !kept.isSpoiled && ((await tryReset()) || (await tryReset()));
      if (isReset) idle.push(kept);
      else await context.close();
    },
  };
}

/** Why contexts were not kept, in this worker. */
export const resetFailures: string[] = [];

/** @returns whether nothing is left of a test */
async function reset({ context, page, session, look }: KeptContext): Promise<boolean> {
  for (const event of events) {
    context.removeAllListeners(event);
    page.removeAllListeners(event);
  }
  await context.setOffline(false);
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.goto(emptyPage);
  await page.mouse.move(-1, -1);
  if (look.viewport !== null) await page.setViewportSize(look.viewport);
  await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: 'reduce' });
  await context.clearCookies();
  await context.clearPermissions();
  await page.evaluate(`localStorage.clear(); sessionStorage.clear(); name = ''`);
  await session.send('Page.resetNavigationHistory');
  const { cookies, origins } = await context.storageState({ indexedDB: true });
  if (cookies.length === 0 && origins.length === 0) return true;
  resetFailures.push(JSON.stringify({ cookies, origins }));
  return false;
}

function watchCalls(target: object, methods: readonly string[], note: () => void): void {
  for (const method of methods) {
    const original = Reflect.get(target, method) as (...args: unknown[]) => unknown;
    Reflect.set(target, method, (...args: unknown[]) => {
      note();
      return original.apply(target, args);
    });
  }
}

/** Whether a test has not opened anything in its page yet. */
export const isEmpty = (page: Page): boolean =>
  page.url() === 'about:blank' || new URL(page.url()).pathname === emptyPage;

/** Removes all routes. Pages poll until they are closed, and requests pending in a route must not fail the test. */
export async function stopIntercepting(context: BrowserContext): Promise<void> {
  for (const intercepting of [context, ...context.pages()])
    await intercepting.unrouteAll({ behavior: 'ignoreErrors' });
}
