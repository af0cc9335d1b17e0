import { useSyncExternalStore } from 'react';

/**
 * Whether the parts of the app that are loaded when they are wanted can be had: `away` when the server does not answer,
 * `outdated` when a newer release has replaced the files this tab still asks for.
 */
type Reach = 'fine' | 'away' | 'outdated';

const askAgainAfter = 5_000;
const askLimit = 10_000;

let reach: Reach = 'fine';
let asking: Promise<Reach> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const missing = new WeakSet<object>();
const changes = new EventTarget();

/** To be called once, before anything is loaded. */
export function watchAppParts(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    missing.add(payload);
    // By its text the router would know this error and load the page anew at once, which loses what was typed and,
    // without a connection, the whole page.
    payload.message = `A part of the app is missing. ${payload.message}`;
    void askForParts();
  });
  // A style sheet that failed is taken for loaded as long as its element is there.
  window.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement) target.remove();
    },
    true,
  );
  window.addEventListener('online', () => {
    if (reach === 'away') void askForParts();
  });
}

/** Whether an error means that a part of the app could not be loaded. */
export const isMissingPart = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && missing.has(error);

/** Asks the server for the release it has now. While it is away it is asked again every few seconds. */
export function askForParts(): Promise<Reach> {
  asking ??= readReach().then((found) => {
    asking = undefined;
    clearTimeout(timer);
    if (found === 'away') timer = setTimeout(() => void askForParts(), askAgainAfter);
    if (found !== reach) {
      reach = found;
      changes.dispatchEvent(new Event('change'));
    }
    return found;
  });
  return asking;
}

/**
 * Loads a part of a page, for `lazy`, which never tries twice. While the server is away the part is waited for.
 * @throws what `load` threw, when the server is there and the part is not
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!isMissingPart(error) || (await askForParts()) !== 'away') throw error;
      await nextChange();
    }
  }
}

export const useReach = (): Reach => useSyncExternalStore(subscribe, () => reach);

async function readReach(): Promise<Reach> {
  if (!navigator.onLine) return 'away';
  try {
    const response = await fetch('/', {
      // Anything else is not given the page.
      headers: { accept: 'text/html' },
      cache: 'no-store',
      signal: AbortSignal.timeout(askLimit),
    });
    if (!response.ok) return 'away';
    const page = await response.text();
    const running = document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';
    return page.includes(running) ? 'fine' : 'outdated';
  } catch {
    return 'away';
  }
}

function subscribe(onChange: () => void): () => void {
  changes.addEventListener('change', onChange);
  return () => changes.removeEventListener('change', onChange);
}

const nextChange = (): Promise<void> =>
  new Promise((resolve) => {
    changes.addEventListener('change', () => resolve(), { once: true });
  });
