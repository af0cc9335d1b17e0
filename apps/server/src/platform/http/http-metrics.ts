import { byKey, counter, gauge, type Metric } from '../metrics/metric.ts';
import type { Holdings, Share } from './holdings.ts';

export interface OpenHttp {
  responses: Holdings;
  bodies: Holdings;
  connections: { count: () => number; limit: number; refused: () => number };
}

/** The HTTP sides of this process; tests have several. */
const servers = new Set<OpenHttp>();
/** Connections that were ended because their client took no response, or sent no body. */
const cutOff = { responses: 0, bodies: 0 };

export function reportHttp(server: OpenHttp): () => void {
  servers.add(server);
  return () => servers.delete(server);
}

export const countCutOff = (kind: keyof typeof cutOff): void => void (cutOff[kind] += 1);

/** Metrics of what is kept for HTTP peers: docs/metrics.md */
export function collectHttpMetrics(): Metric[] {
  const all = [...servers];
  if (all.length === 0) return [];
  const sum = (measure: (server: OpenHttp) => number) =>
    all.reduce((total, server) => total + measure(server), 0);
  const kinds = ['responses', 'bodies'] as const;
  const usage = (measure: keyof Share) =>
    Object.fromEntries(kinds.map((kind) => [kind, sum((server) => server[kind].usage()[measure])]));
  return [
    gauge(
      'reachout_http_connections',
      'Open connections of peers.',
      sum(({ connections }) => connections.count()),
    ),
    gauge(
      'reachout_http_connections_limit',
      'Most of these.',
      sum(({ connections }) => connections.limit),
    ),
    counter(
      'reachout_http_connections_refused_total',
      'Connections that were closed because there were too many.',
      sum(({ connections }) => connections.refused()),
    ),
    gauge(
      'reachout_http_unfinished',
      'Responses not taken, and bodies not received, in full.',
      byKey('kind', usage('count')),
    ),
    gauge('reachout_http_unfinished_bytes', 'Bytes kept for these.', byKey('kind', usage('bytes'))),
    counter(
      'reachout_http_share_full_total',
      'How often a share of these was full.',
      kinds.flatMap((kind) =>
        (['person', 'tenant', 'network', 'all'] as const).map((share) => ({
          labels: { kind, share },
          value: sum((server) => server[kind].full[share]),
        })),
      ),
    ),
    counter('reachout_http_cut_off_total', 'Responses and bodies that were ended.', byKey('kind', cutOff)),
  ];
}
