import type { Registry } from 'prom-client';
import { collectPoolMetrics } from '../database/pool-metrics.ts';
import type { Metric } from './metric.ts';

let registry: Promise<Registry> | undefined;

/**
 * Connections to the database, memory, processor, garbage collection and lag of the event loop of this process. They are watched
 * from the first call on: a process that nobody asks pays nothing.
 */
export async function collectProcessMetrics(): Promise<Metric[]> {
  registry ??= watchProcess();
  const metrics = (await (await registry).getMetricsAsJSON()) as unknown as Metric[];
  const ofProcess = metrics.map(({ name, help, type, values }) => ({
    name,
    help,
    type,
    // The lag is no number before there was a turn of the loop, and such a thing does not pass between processes.
    values: values.filter(({ value }) => Number.isFinite(value)),
  }));
  return [...collectPoolMetrics(), ...ofProcess];
}

async function watchProcess(): Promise<Registry> {
  const { Registry: NewRegistry, collectDefaultMetrics } = await import('prom-client');
  const register = new NewRegistry();
  collectDefaultMetrics({ register });
  return register;
}
