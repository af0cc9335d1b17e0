/** Interval at which a repeated line is written, with the number of repetitions. */
const intervalMs = 60_000;

/**
 * Keeps a log readable while the same event occurs thousands of times: the first line is written immediately, later ones
 * once a minute with their number. Other fields of such a line, such as the request id, are those of the last one.
 */
export function createRepeatedLines() {
  const lines = new Map<string, { count: number; writeLast: WriteLine }>();

  /**
   * @param key  identifies equal lines
   * @param write  writes the line; `repeated` is their number since the last written one, undefined for the first
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
