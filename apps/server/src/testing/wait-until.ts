import { setTimeout as delay } from 'node:timers/promises';

/** Retries, as a client does, while a busy machine has no connection for the request and responds with 503. */
export async function untilServed<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  return await waitUntil('the request is served', async () => {
    const response = await ask();
    return response.status === 503 ? undefined : response;
  });
}

/**
 * Polls for a condition every few milliseconds, but uses at most a fifth of the time for that, to leave the rest to the
 * awaited work. Throws after `limitMs`.
 */
export async function waitUntil<T>(
  what: string,
  look: () => T | Promise<T>,
  limitMs = 60_000,
): Promise<NonNullable<T>> {
  const end = performance.now() + limitMs;
  for (;;) {
    const start = performance.now();
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    const now = performance.now();
    if (now > end) throw new Error(`Waited ${limitMs} ms in vain: ${what}`);
    await delay(Math.max(5, 4 * (now - start)));
  }
}
