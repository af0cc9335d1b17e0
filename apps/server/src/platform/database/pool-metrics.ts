import { counter, gauge, type Metric } from '../metrics/metric.ts';
import { openPools, type ConnectionPool } from './connection-pool.ts';
import { countUnprepared } from './prepared.ts';

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
