import type { Metric, Sample } from './metric.ts';

/** Upper bounds of the buckets, in seconds. */
const limits = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Histogram of durations, stored as plain numbers. */
export class Durations {
  /** Count per bucket; the last bucket has no upper bound. */
  readonly #counts = new Float64Array(limits.length + 1);
  #sum = 0;

  record(ms: number): void {
    const seconds = ms / 1000;
    let index = 0;
    while (index < limits.length && seconds > limits[index]!) index += 1;
    this.#counts[index]! += 1;
    this.#sum += seconds;
  }

  toMetric(name: string, help: string): Metric {
    let count = 0;
    const buckets: Sample[] = [...limits, '+Inf'].map((le, index) => {
      count += this.#counts[index]!;
      return { metricName: `${name}_bucket`, labels: { le }, value: count };
    });
    const sum = { metricName: `${name}_sum`, labels: {}, value: this.#sum };
    const total = { metricName: `${name}_count`, labels: {}, value: count };
    return { name, help, type: 'histogram', values: [...buckets, sum, total] };
  }
}
