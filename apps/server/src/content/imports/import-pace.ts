import { availableParallelism, cpus } from 'node:os';

/** What a worker tells its imports. */
export interface SendActivity {
  /** It sends, or prepares a send. */
  isSending: boolean;
}

/** An import keeps its own process and a connection of PostgreSQL busy. */
const coresOfImport = 2;
/** Time of rest for each of work where so many cores are idle, and where none is. */
const leastRest = 1;
const mostRest = 9;
/** An import goes on beside any send, however slow its batches are there. */
const maxRestMs = 5_000;

/**
 * How fast the imports of a worker go: as fast as they can, or behind its sends. While emails go out, an import rests after
 * each batch: as long as the batch took where there are idle cores, up to nine times as long where there are none.
 */
export class ImportPace {
  #isSending = false;
  #rest = mostRest;
  #workBegan = performance.now();
  #endRest: () => void = () => undefined;

  /** Whether an import rests between its batches for now. */
  get yieldsToSends(): boolean {
    return this.#isSending;
  }

  inform({ isSending }: SendActivity): void {
    // What was idle before says nothing.
    if (isSending && !this.#isSending) this.#rest = mostRest;
    this.#isSending = isSending;
    if (!isSending) this.#endRest();
  }

  /** An import begins. */
  begin(): void {
    this.#workBegan = performance.now();
  }

  /** Between two batches. Ends early with the sends, and where the import is to stop. */
  async rest(signal: AbortSignal): Promise<void> {
    if (this.#isSending && !signal.aborted) {
      const workedMs = performance.now() - this.#workBegan;
      const begin = { at: performance.now(), idleMs: readIdleMs() };
      await this.#wait(Math.min(workedMs * this.#rest, maxRestMs), signal);
      const idleCores = (readIdleMs() - begin.idleMs) / (performance.now() - begin.at);
      const idle = Math.min(1, Math.max(0, idleCores / coresOfImport));
      this.#rest = mostRest - idle * (mostRest - leastRest);
    }
    this.begin();
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#endRest = resolve;
    const end = () => resolve();
    signal.addEventListener('abort', end);
    await promise;
    signal.removeEventListener('abort', end);
    clearTimeout(timer);
  }
}

/** Time of all cores that nobody has used. Where this process is limited to some of them, the others say nothing of these. */
const readIdleMs = (): number =>
  availableParallelism() < cpus().length ? 0 : cpus().reduce((sum, { times }) => sum + times.idle, 0);
