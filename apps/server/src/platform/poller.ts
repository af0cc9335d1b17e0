import type { Log } from './log.ts';

export interface Poller {
  /** When the last run ended without an error; `Date.now()`. */
  readonly lastEndAt: number | undefined;
  /** Runs `work` now, or once more after the current run. */
  wake: () => void;
  /** Starts no more runs, aborts the signal of the current one and waits for it to end. */
  stop: () => Promise<void>;
}

export interface PollerOptions {
  /** Name of the work, for the log line when `work` throws. */
  name: string;
  everyMs: number;
  log: Log;
  work: (signal: AbortSignal) => Promise<void>;
  /** The process may end while it waits, without `stop`. */
  isOptional?: true;
}

/** Runs `work` immediately, then on each `wake` and at least every `everyMs`, one run at a time. */
export function createPoller({ name, everyMs, log, work, isOptional }: PollerOptions): Poller {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let isWanted = false;
  let lastEndAt: number | undefined;

  function wake(): void {
    isWanted = true;
    running ??= run().finally(() => {
      running = undefined;
    });
  }

  async function run(): Promise<void> {
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false;
      try {
        await work(stopping.signal);
        lastEndAt = Date.now();
      } catch (error) {
        log.warn({ err: error }, `${name} cannot go on`);
      }
    }
  }

  const timer = setInterval(wake, everyMs);
  if (isOptional === true) timer.unref();
  wake();
  return {
    get lastEndAt() {
      return lastEndAt;
    },
    wake,
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
