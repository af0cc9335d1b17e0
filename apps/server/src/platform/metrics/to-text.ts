import type { Metric } from './metric.ts';

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The text format of Prometheus, version 0.0.4. A metric that several processes have is one with a series of each: the label
 * `process` tells them apart.
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
