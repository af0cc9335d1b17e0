import type { Registry } from 'prom-client';
import { collectHttpMetrics } from '../http/http-metrics.ts';
import { counter, gauge, type Metric } from './metric.ts';
import { openPools, type ConnectionPool } from '../database/connection-pool.ts';
import { countUnprepared } from '../database/prepared.ts';

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

/** Metrics of this process's connection pools. The label is the purpose of the pool, one of a fixed list of names. */
export function collectPoolMetrics(): Metric[] {
  const pools = [...Map.groupBy(openPools, ({ purpose }) => purpose)];
  const sum = (count: (pool: ConnectionPool) => number) =>
    pools.map(([pool, same]) => ({
      labels: { pool },
      value: same.reduce((total, one) => total + count(one), 0),
    }));
  return [
    gauge(
      'reachout_database_connections_in_use',
      'Connections of the pool that work.',
      sum(({ totalCount, idleCount }) => totalCount - idleCount),
    ),
    gauge(
      'reachout_database_connections_limit',
      'Most connections of the pool.',
      sum(({ options }) => options.max),
    ),
    gauge(
      'reachout_database_connections_waiting',
      'Requests that wait for a connection of the pool.',
      sum(({ waitingCount }) => waitingCount),
    ),
    counter(
      'reachout_database_unprepared_total',
      'Executions of frequent statements that were planned again, as their connection has prepared others.',
      countUnprepared(),
    ),
  ];
}
