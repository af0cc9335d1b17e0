import { useSyncExternalStore } from 'react';

/**
 * Whether the lazy chunks of the app can be loaded: `away` when the server does not respond,
 * `outdated` when a newer release has replaced the files this tab still asks for.
 */
type ReleaseState = 'fine' | 'away' | 'outdated';

const recheckAfterMs = 5_000;
const checkTimeoutMs = 10_000;

let releaseState: ReleaseState = 'fine';
let checking: Promise<ReleaseState> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const chunkErrors = new WeakSet<object>();
const changes = new EventTarget();

/** To be called once, before anything is loaded. */
export function watchChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    chunkErrors.add(payload);
    // By its text the router would know this error and load the page anew at once, which loses what was typed and,
    // without a connection, the whole page.
    payload.message = `A chunk of the app is missing. ${payload.message}`;
    void checkRelease();
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
    if (releaseState === 'away') void checkRelease();
  });
}

/** Whether an error means that a lazy chunk could not be loaded. */
export const isChunkError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && chunkErrors.has(error);

/** Asks the server for the release it has now. While it is away it is asked again every few seconds. */
export function checkRelease(): Promise<ReleaseState> {
  checking ??= readReleaseState().then((found) => {
    checking = undefined;
    clearTimeout(timer);
    if (found === 'away') timer = setTimeout(() => void checkRelease(), recheckAfterMs);
    if (found !== releaseState) {
      releaseState = found;
      changes.dispatchEvent(new Event('change'));
    }
    return found;
  });
  return checking;
}

/**
 * Loads a lazy chunk, for `lazy`, which never tries twice. While the server is away it waits for the chunk.
 * @throws what `load` threw, when the server is there and the chunk is not
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!isChunkError(error) || (await checkRelease()) !== 'away') throw error;
      await nextChange();
    }
  }
}

export const useReleaseState = (): ReleaseState => useSyncExternalStore(subscribe, () => releaseState);

async function readReleaseState(): Promise<ReleaseState> {
  if (!navigator.onLine) return 'away';
  try {
    const response = await fetch('/', {
      // Anything else is not given the page.
      headers: { accept: 'text/html' },
      cache: 'no-store',
      signal: AbortSignal.timeout(checkTimeoutMs),
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
