import { callAt } from '../../platform/call-at.ts';
import type { ActiveSend } from './active-send.ts';

/**
 * Milliseconds of CPU time, because on a busy machine even a quick message takes long by the clock. A message normally takes
 * 0.1 ms; with some templates it takes up to 500 ms, during which the worker does nothing else.
 */
const slowBuildMs = 50;
/** Sends with such templates together get one part in this many of the worker's time, all others the rest. */
const slowShare = 5;
/** After this many quick messages, a slow send counts as normal again. */
const quickBuildsToTrust = 100;

/** A template has three times 500 ms. Longer times, of a suspended process or machine, do not extend the pause. */
const longestBuildMs = 2_000;

/** When the build of a message began; `cpu` is only set if CPU time is measured. */
interface BuildStart {
  at: number;
  cpu: NodeJS.CpuUsage | undefined;
}

/** Builds slow messages less often, so that one template does not hold up all other sends. */
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
   * Call before a message is built. Measuring CPU time costs a tenth of a build, so it is only done for sends that took long
   * by the clock.
   * @returns the argument of `end`
   */
  start({ buildsToMeasure }: ActiveSend): BuildStart {
    return { at: performance.now(), cpu: buildsToMeasure > 0 ? process.threadCpuUsage() : undefined };
  }

  /** @returns whether the build took much CPU time */
  end(send: ActiveSend, { at, cpu }: BuildStart): boolean {
    const tookMs = performance.now() - at;
    if (cpu === undefined) {
      // The machine may have been busy: only measured CPU time makes a send slow.
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
    // By the clock, because all other sends waited that long, however little of it was CPU time.
    const pauseMs = Math.min(tookMs, longestBuildMs) * (slowShare - 1);
    this.#until = performance.now() + pauseMs;
    callAt(this.#until, this.#onEnd);
    return true;
  }
}
