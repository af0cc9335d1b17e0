import { byKey, counter, gauge, type Metric } from '../../platform/metrics/metric.ts';
import type { BatchCommitter } from './batch-committer.ts';
import type { Batches } from './batches.ts';
import type { DueLists } from './due-lists.ts';
import type { Lane } from './lane.ts';
import type { OpenTransport, OpenTransports } from './open-transports.ts';
import type { Rates } from './rates.ts';

export interface SendMetricsOptions {
  transports: OpenTransports;
  batches: Batches;
  rates: Rates;
  committer: BatchCommitter;
  lists: DueLists;
}

/** Collects the metrics about the sends of a worker (docs/metrics.md). */
export function collectSendMetrics(options: SendMetricsOptions): Metric[] {
  const { batches, rates, committer } = options;
  return [
    ...ofLanes(options.transports),
    ...ofTransports(options.transports),
    gauge(
      'reachout_messages_in_flight',
      'Messages without a stored result.',
      batches.inFlight.count + batches.inFlightOfOwn.count,
    ),
    gauge(
      'reachout_messages_in_flight_limit',
      'Most messages without a stored result.',
      batches.inFlight.limit,
    ),
    gauge('reachout_results_unstored', 'Results that wait to be stored.', batches.unstoredCount),
    committer.durations.toMetric('reachout_result_commit_seconds', 'How long a commit of results took.'),
    counter(
      'reachout_result_commit_failures_total',
      'Commits of results that failed, and were tried again.',
      committer.failures,
    ),
    counter(
      'reachout_rate_reached_total',
      'How often a rate of the operator allowed no more messages for now.',
      byKey('limit', rates.reached),
    ),
    ...ofLists(options.lists),
  ];
}

function ofLanes({ all: transports }: OpenTransports): Metric[] {
  const all = transports.flatMap(({ name, lanes }) => [...lanes].map((lane) => ({ name, lane })));
  const ofEach = (read: (lane: Lane) => number) =>
    all.map(({ name, lane }) => ({ labels: { transport: name, lane: lane.group }, value: read(lane) }));
  return [
    counter(
      'reachout_message_attempts_total',
      'Messages that were handed to the transport, by what became of them.',
      all.flatMap(({ name, lane: { attempts, group } }) =>
        attempts.toSamples({ transport: name, lane: group }),
      ),
    ),
    gauge(
      'reachout_lane_under_way',
      'Messages of the lane at the transport.',
      ofEach((lane) => lane.underWay),
    ),
    gauge(
      'reachout_lane_slots',
      'Most messages of the lane at the transport for now.',
      ofEach((lane) => lane.slots),
    ),
    gauge(
      'reachout_lane_waiting',
      '1 while the lane waits: its provider takes no more, or closes connections.',
      ofEach((lane) => Number(lane.isWaiting)),
    ),
    gauge(
      'reachout_lane_wait_seconds',
      'Until the lane goes on; 0 when it does not wait.',
      ofEach((lane) => lane.waitMs / 1000),
    ),
  ];
}

function ofTransports({ all }: OpenTransports): Metric[] {
  const ofEach = (read: (transport: OpenTransport) => number) =>
    all.map((transport) => ({ labels: { transport: transport.name }, value: read(transport) }));
  return [
    gauge(
      'reachout_transport_away',
      '1 while the mail server cannot be reached and nothing is started.',
      ofEach(({ lanes }) => Number(lanes.isAway)),
    ),
    gauge(
      'reachout_transport_connections',
      'Open connections to the mail server.',
      ofEach(({ transport }) => transport.usage.connections),
    ),
    gauge(
      'reachout_transport_slots_in_use',
      'Texts that have left, and whose results are not stored.',
      ofEach(({ transport }) => transport.usage.slotsInUse),
    ),
    gauge(
      'reachout_transport_slots',
      'Most texts without a stored result.',
      ofEach(({ transport }) => transport.usage.slots),
    ),
  ];
}

function ofLists({ looks, failedLooks, due }: DueLists): Metric[] {
  const now = Date.now();
  const lists = Object.entries(due);
  return [
    counter('reachout_looks_total', 'Looks for sends that are due.', looks),
    counter('reachout_look_failures_total', 'Looks for sends that failed.', failedLooks),
    gauge(
      'reachout_sends_due',
      'Sends that the last look found, by what is to be done; a list has an end.',
      lists.map(([list, { count }]) => ({ labels: { list }, value: count })),
    ),
    gauge(
      'reachout_sends_oldest_due_age_seconds',
      'How long the oldest of these is due; 0 when there is none.',
      lists.map(([list, { since }]) => ({
        labels: { list },
        value: since === undefined ? 0 : Math.max(0, (now - since) / 1000),
      })),
    ),
  ];
}
