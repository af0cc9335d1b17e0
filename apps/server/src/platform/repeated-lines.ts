/** How often a line that repeats is written, with the number of those in between. */
const intervalMs = 60_000;

/**
 * Keeps a log readable while the same thing happens thousands of times: the first line is written at once, those after
 * it once a minute with their number.
 */
export function createRepeatedLines() {
  const counts = new Map<string, number>();

  /**
   * @param key  the same for lines that say the same
   * @param write  writes the line; `repeated` is how many there were since the last one, undefined for the first
   */
  return function writeOnce(key: string, write: (repeated: number | undefined) => void): void {
    const count = counts.get(key);
    if (count !== undefined) {
      counts.set(key, count + 1);
      return;
    }
    counts.set(key, 0);
    write(undefined);
    const timer = setInterval(() => {
      const repeated = counts.get(key) ?? 0;
      counts.set(key, 0);
      if (repeated > 0) return write(repeated);
      counts.delete(key);
      clearInterval(timer);
    }, intervalMs);
    timer.unref();
  };
}
