import { queryClient } from '#web/platform/query-client.ts';

/** Maximum number of concurrent requests: each thumbnail is rendered by the server, which renders few at once. */
const maxAtOnce = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** @param ask  requests a thumbnail as soon as fewer others are in progress */
export async function limitPictures<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  if (running < maxAtOnce) running += 1;
  // Takes over the slot of a finished request.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    // Aborted if it was scrolled out of view meanwhile.
    signal.throwIfAborted();
    return await ask();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Draws all thumbnails anew: each shows the look of a brand, which no key has. */
export const redrawPictures = () => queryClient.invalidateQueries({ queryKey: ['picture'] });
