import type { Context } from 'liquidjs';
import { cpuMsAtStart, threadCpuMs } from '../../platform/cpu-time.ts';

type Limiter = Context['renderLimit'];

/**
 * Replaces Liquid's own time limit, which is by the clock: on a busy machine, a template is not slow because others run. The
 * clock is still asked first, because CPU time costs more to read.
 */
class CpuLimit implements Pick<Limiter, 'use' | 'check'> {
  readonly #limitMs: number;
  readonly #startedAt = performance.now();
  readonly #startedCpuMs = cpuMsAtStart();

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  use(): void {
    this.check(performance.now());
  }

  /** @param now  as `performance.now()` */
  check(now: number): void {
    if (now - this.#startedAt > this.#limitMs && threadCpuMs() - this.#startedCpuMs > this.#limitMs)
      throw new Error('template render limit exceeded');
  }
}

/** Limits the CPU time of everything that is rendered in this context, counted from the first call. */
export function limitCpuTime(context: Context): void {
  const limit: object = context.renderLimit;
  if (limit instanceof CpuLimit) return;
  context.renderLimit = new CpuLimit(context.opts.renderLimit) as unknown as Limiter;
}
