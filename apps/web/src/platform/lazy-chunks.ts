import { checkConnection, isAway, waitForConnection } from './connection.ts';

const chunkErrors = new WeakSet<object>();

/** To be called once, before anything is loaded. */
export function watchChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    chunkErrors.add(payload);
    // By its text the router would know this error and load the page anew at once, which loses what was typed and,
    // without a connection, the whole page.
    payload.message = `A chunk of the app is missing. ${payload.message}`;
    void checkConnection();
  });
  // A style sheet that failed is taken for loaded as long as its element is there.
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
 * Loads a lazy chunk, for `lazy`, which never tries twice. While the server is away it waits for the chunk.
 * @throws what `load` threw, when the server is there and the chunk is not
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
