import type { ActiveSend } from './active-send.ts';

/**
 * Milliseconds of a processor: on a busy machine a quick message takes long, too. Messages are built in a tenth of one; a
 * template may take 500 for each, and nothing else is done then.
 */
const slowBuildMs = 50;
/** Sends with such templates together get one part of this worker's time, all others the rest. */
const slowShare = 5;
/** So many messages that are quick again make a send an ordinary one. */
const quickBuildsToTrust = 100;

/** Messages that take long to build are built less often: one template must not hold up all other sends. */
export class SlowBuilds {
  readonly #onEnd: () => void;
  #until = 0;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  holdsBack({ slowness }: ActiveSend): boolean {
    return slowness > 0 && performance.now() < this.#until;
  }

  /**
   * To be called before a message is built. Asking for the time of the processor costs a tenth of a message, so the clock
   * tells which sends are worth it.
   * @returns for `end`
   */
  start({ slowness }: ActiveSend): NodeJS.CpuUsage | number {
    return slowness > 0 ? process.threadCpuUsage() : performance.now();
  }

  /** @returns whether it took long by the time of the processor */
  end(send: ActiveSend, started: NodeJS.CpuUsage | number): boolean {
    if (typeof started === 'number') {
      if (performance.now() - started >= slowBuildMs) send.slowness = quickBuildsToTrust;
      return false;
    }
    const { user, system } = process.threadCpuUsage(started);
    return this.#record(send, (user + system) / 1_000);
  }

  /** @param tookMs  milliseconds of a processor */
  #record(send: ActiveSend, tookMs: number): boolean {
    if (tookMs < slowBuildMs) {
      if (send.slowness > 0) send.slowness -= 1;
      return false;
    }
    send.slowness = quickBuildsToTrust;
    const pauseMs = tookMs * (slowShare - 1);
    this.#until = performance.now() + pauseMs;
    setTimeout(this.#onEnd, pauseMs + 1).unref();
    return true;
  }
}
