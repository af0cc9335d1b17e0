/**
 * One series of a metric. Label values come from closed lists, never from ids, addresses or user input, so that the number
 * of series is bounded.
 */
export interface Sample {
  labels: Record<string, string | number>;
  value: number;
  /** Name of a histogram series; that of the metric if unset. */
  metricName?: string;
}

/** Current values of one metric of a process. Plain data, so that it can be passed between processes. */
export interface Metric {
  /** Follows the Prometheus conventions: `reachout_…_total` for counters, the unit as suffix for all others. */
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  values: Sample[];
}

/** Called when metrics are requested; until then, only plain numbers are kept. */
export type CollectMetrics = () => Promise<Metric[]>;

export function counter(name: string, help: string, values: Sample[] | number): Metric {
  return { name, help, type: 'counter', values: toSamples(values) };
}

export function gauge(name: string, help: string, values: Sample[] | number): Metric {
  return { name, help, type: 'gauge', values: toSamples(values) };
}

const toSamples = (values: Sample[] | number): Sample[] =>
  typeof values === 'number' ? [{ labels: {}, value: values }] : values;

/** Creates a sample for each entry, with its key as the label value. */
export const byKey = (label: string, entries: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(entries).map(([key, value]) => ({ labels: { [label]: key }, value }));

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

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Formats metrics in the Prometheus text format, version 0.0.4. A metric of several processes becomes one metric with a
 * series per process, identified by the label `process`.
 */
export async function toText(byProcess: Readonly<Record<string, readonly Metric[]>>): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client');
  const all = Object.entries(byProcess).map(([process, metrics]) =>
    metrics.map((metric) => ({
      ...metric,
      aggregator: 'first',
      values: metric.values.map((sample) => ({ ...sample, labels: { ...sample.labels, process } })),
    })),
  );
  return await AggregatorRegistry.aggregate(all).metrics();
}
