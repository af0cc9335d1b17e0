import type { Registry } from 'prom-client';
import { collectPoolMetrics } from '../database/pool-metrics.ts';
import { collectHttpMetrics } from '../http/http-metrics.ts';
import type { Metric } from './metric.ts';

let registry: Promise<Registry> | undefined;

/**
 * Metrics of this process: database connections, memory, CPU, garbage collection and event loop lag. Collection starts
 * with the first call, so that it costs nothing in a process whose metrics are not requested.
 */
export async function collectProcessMetrics(): Promise<Metric[]> {
  registry ??= watchProcess();
  const metrics = (await (await registry).getMetricsAsJSON()) as unknown as Metric[];
  const ofProcess = metrics.map(({ name, help, type, values }) => ({
    name,
    help,
    type,
    // The lag is NaN before the first turn of the event loop, and NaN cannot be passed between processes.
    values: values.filter(({ value }) => Number.isFinite(value)),
  }));
  return [...collectPoolMetrics(), ...collectHttpMetrics(), ...ofProcess];
}

async function watchProcess(): Promise<Registry> {
  const { Registry: NewRegistry, collectDefaultMetrics } = await import('prom-client');
  const register = new NewRegistry();
  collectDefaultMetrics({ register });
  return register;
}
