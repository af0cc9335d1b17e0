import { checkConnection, isAway, waitForConnection } from './connection.ts';

const chunkErrors = new WeakSet<object>();

/** Call once, before anything is loaded. */
export function watchChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    chunkErrors.add(payload);
    // The router would recognize this error by its text and reload the page at once, which loses the user's input and,
    // without a connection, the whole page.
    payload.message = `A chunk of the app is missing. ${payload.message}`;
    void checkConnection();
  });
  // A failed style sheet counts as loaded as long as its element exists.
  window.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement) target.remove();
    },
    true,
  );
}

/** Whether an error means that a lazy chunk could not be loaded. */
export const isChunkError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && chunkErrors.has(error);

/**
 * Loads a lazy chunk: `lazy` never retries. While the server is away, it waits.
 * @throws the error of `load` if the server can be reached but the chunk cannot be loaded
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!isChunkError(error) || !isAway(await checkConnection())) throw error;
      await waitForConnection();
    }
  }
}

/** Loads a lazy chunk with the texts that it needs. */
export async function loadWithTexts<T>(
  load: () => Promise<T>,
  loadTexts: () => Promise<unknown>,
): Promise<T> {
  const [loaded] = await Promise.all([loadChunk(load), loadChunk(loadTexts)]);
  return loaded;
}
