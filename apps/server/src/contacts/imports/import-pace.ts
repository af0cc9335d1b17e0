import { availableParallelism, cpus } from 'node:os';

/** Send activity that a worker reports to its imports. */
export interface SendActivity {
  /** Whether the worker is sending or preparing a send. */
  isSending: boolean;
}

/** An import keeps its own process and one PostgreSQL connection busy. */
const coresOfImport = 2;
/** Ratio of pause to work time if `coresOfImport` cores are idle, and if none is. */
const leastRest = 1;
const mostRest = 9;
/** Maximum pause, so that an import makes progress next to any send. */
const maxRestMs = 5_000;

/**
 * Throttles a worker's imports while it sends. During a send, an import pauses after each batch: as long as the batch took
 * if cores are idle, up to nine times as long if none is. Otherwise imports run at full speed.
 */
export class ImportPace {
  #isSending = false;
  #rest = mostRest;
  #workBegan = performance.now();
  #endRest: () => void = () => undefined;

  /** Whether imports currently pause between batches. */
  get yieldsToSends(): boolean {
    return this.#isSending;
  }

  inform({ isSending }: SendActivity): void {
    // Idle time measured before this send does not apply.
    if (isSending && !this.#isSending) this.#rest = mostRest;
    this.#isSending = isSending;
    if (!isSending) this.#endRest();
  }

  /** Call when an import starts. */
  begin(): void {
    this.#workBegan = performance.now();
  }

  /** Pauses between two batches. Ends early when the sends end or the import is to stop. */
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

/** @returns idle milliseconds of all cores; 0 if the process is limited to some cores, as the others do not matter to it */
const readIdleMs = (): number =>
  availableParallelism() < cpus().length ? 0 : cpus().reduce((sum, { times }) => sum + times.idle, 0);
