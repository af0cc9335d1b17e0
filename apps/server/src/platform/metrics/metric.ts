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
