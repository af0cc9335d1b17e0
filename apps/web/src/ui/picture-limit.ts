/** Each picture is rendered by the server, which does little of that at once: a page asks for a few at a time. */
const maxAtOnce = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** @param ask  asks for a picture, once few enough others are under way */
export async function limitPictures<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  if (running < maxAtOnce) running += 1;
  // Takes the place of one that has ended.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    // Scrolled out of view meanwhile.
    signal.throwIfAborted();
    return await ask();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Of the query of a picture, which can have 200,000 characters: kept while lists are turned over. */
export const pictureOptions = {
  staleTime: Infinity,
  gcTime: 60_000,
  retry: false,
  meta: { quiet: true },
} as const;
