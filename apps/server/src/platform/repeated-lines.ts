/** How often a line that repeats is written, with the number of those in between. */
const intervalMs = 60_000;

/**
 * Keeps a log readable while the same thing happens thousands of times: the first line is written at once, those after
 * it once a minute with their number. What else such a line says, such as the id of a request, is of the last of them.
 */
export function createRepeatedLines() {
  const lines = new Map<string, { count: number; writeLast: WriteLine }>();

  /**
   * @param key  the same for lines that say the same
   * @param write  writes the line; `repeated` is how many there were since the last one, undefined for the first
   */
  return function writeOnce(key: string, write: WriteLine): void {
    const line = lines.get(key);
    if (line !== undefined) {
      line.count += 1;
      line.writeLast = write;
      return;
    }
    const first = { count: 0, writeLast: write };
    lines.set(key, first);
    write(undefined);
    const timer = setInterval(() => {
      const repeated = first.count;
      first.count = 0;
      if (repeated > 0) return first.writeLast(repeated);
      lines.delete(key);
      clearInterval(timer);
    }, intervalMs);
    timer.unref();
  };
}

export type RepeatedLines = ReturnType<typeof createRepeatedLines>;

type WriteLine = (repeated: number | undefined) => void;
