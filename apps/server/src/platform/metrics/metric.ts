/**
 * One series of a metric. Labels have values of closed lists: no id, no address, nothing that people write, so that the number of
 * series is bounded.
 */
export interface Sample {
  labels: Record<string, string | number>;
  value: number;
  /** Of a series of a histogram; else that of the metric. */
  metricName?: string;
}

/** What a process tells of one thing, as of now: plain data, so that it can come from another process. */
export interface Metric {
  /** By the conventions of Prometheus: `reachout_…_total` for what is counted, with its unit at the end for the rest. */
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  values: Sample[];
}

/** Asked when somebody looks: until then, whoever counts has no more than numbers. */
export type CollectMetrics = () => Promise<Metric[]>;

export function counter(name: string, help: string, values: Sample[] | number): Metric {
  return { name, help, type: 'counter', values: toSamples(values) };
}

export function gauge(name: string, help: string, values: Sample[] | number): Metric {
  return { name, help, type: 'gauge', values: toSamples(values) };
}

const toSamples = (values: Sample[] | number): Sample[] =>
  typeof values === 'number' ? [{ labels: {}, value: values }] : values;

/** A sample for each entry, with its key as the label. */
export const byKey = (label: string, entries: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(entries).map(([key, value]) => ({ labels: { [label]: key }, value }));
