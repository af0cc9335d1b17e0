import { setTimeout as delay } from 'node:timers/promises';

/** As a client does it: asks again while a busy machine has no connection for the request, and answers 503. */
export async function untilServed<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  return await waitUntil('the request is served', async () => {
    const response = await ask();
    return response.status === 503 ? undefined : response;
  });
}

/**
 * Waits for a condition, looking again every few milliseconds, but at most a third of the time: what it waits for needs
 * the rest. Fails after `limitMs`.
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
    await delay(Math.max(5, 2 * (now - start)));
  }
}
