export interface TurnsOptions {
  /** How many may be under way at once for one key. */
  atOnce: number;
  /** How many may wait for one key. */
  waiting: number;
  /** The longest wait, in milliseconds. */
  waitMs: number;
}

/** Too many are under way and waiting for one key; nothing was done. */
export class NoTurn extends Error {
  override name = 'NoTurn';
}

/**
 * Lets only a few run at once for each key, the others in the order in which they came: what one key asks for leaves
 * room for all others.
 * @throws NoTurn
 */
export function createTurns({ atOnce, waiting, waitMs }: TurnsOptions) {
  const lines = new Map<string, { running: number; queue: (() => void)[] }>();

  function wait(queue: (() => void)[]): Promise<void> {
    if (queue.length >= waiting) throw new NoTurn('Too much is waiting.');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(start), 1);
        reject(new NoTurn('This waited too long for its turn.'));
      }, waitMs);
      function start() {
        clearTimeout(timer);
        resolve();
      }
      queue.push(start);
    });
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { running: 0, queue: [] };
    lines.set(key, line);
    // Whoever ends hands the place on, so that nobody can slip in before those who wait.
    if (line.running >= atOnce) await wait(line.queue);
    else line.running += 1;
    try {
      return await work();
    } finally {
      const next = line.queue.shift();
      if (next !== undefined) next();
      else if (--line.running === 0) lines.delete(key);
    }
  };
}
