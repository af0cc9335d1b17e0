import type { Metric } from './metric.ts';

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
