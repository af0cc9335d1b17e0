import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition, looking again every few milliseconds; fails after `limitMs`. */
export async function waitUntil<T>(
  what: string,
  look: () => T | Promise<T>,
  limitMs = 60_000,
): Promise<NonNullable<T>> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > end) throw new Error(`Waited ${limitMs} ms in vain: ${what}`);
    await delay(5);
  }
}
