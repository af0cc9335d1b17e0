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

/** A template has three times 500 ms. A process that was stopped meanwhile, or a machine asleep, holds back no longer. */
const longestBuildMs = 2_000;

/** When the building of a message began; `cpu` where the time of the processor is asked for, too. */
interface BuildStart {
  at: number;
  cpu: NodeJS.CpuUsage | undefined;
}

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
  start({ buildsToMeasure }: ActiveSend): BuildStart {
    return { at: performance.now(), cpu: buildsToMeasure > 0 ? process.threadCpuUsage() : undefined };
  }

  /** @returns whether it took long by the time of the processor */
  end(send: ActiveSend, { at, cpu }: BuildStart): boolean {
    const tookMs = performance.now() - at;
    if (cpu === undefined) {
      // Perhaps the machine was busy: only what is measured makes a send slow.
      if (tookMs >= slowBuildMs) send.buildsToMeasure = quickBuildsToTrust;
      return false;
    }
    const { user, system } = process.threadCpuUsage(cpu);
    if ((user + system) / 1_000 < slowBuildMs) {
      send.buildsToMeasure -= 1;
      if (send.slowness > 0) send.slowness -= 1;
      return false;
    }
    send.buildsToMeasure = quickBuildsToTrust;
    send.slowness = quickBuildsToTrust;
    // By the clock: all others waited for so long, however little of it was the processor's.
    const pauseMs = Math.min(tookMs, longestBuildMs) * (slowShare - 1);
    this.#until = performance.now() + pauseMs;
    setTimeout(this.#onEnd, pauseMs + 1).unref();
    return true;
  }
}
