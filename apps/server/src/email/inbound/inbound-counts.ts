import { byKey, counter, gauge, type Metric } from '../../platform/metrics/metric.ts';
import type { MailboxKind } from './mailbox-kind.ts';

/** What the listener for returned mail has done since it was started. */
export const createInboundCounts = () => ({
  taken: { return_path: 0, unsubscribe: 0, complaint: 0 } satisfies Record<MailboxKind, number>,
  storeFailures: 0,
  refusedRecipients: 0,
  refusedComplaints: { rate: 0, full: 0 },
  droppedBytes: 0,
  refusedConnections: 0,
});

/** docs/metrics.md */
export const toInboundMetrics = (
  counts: ReturnType<typeof createInboundCounts>,
  connections: number,
): Metric[] => [
  counter(
    'reachout_inbound_messages_total',
    'Returned messages that were stored, by mailbox.',
    byKey('mailbox', counts.taken),
  ),
  counter(
    'reachout_inbound_store_failures_total',
    'Returned messages that could not be stored; their senders try again.',
    counts.storeFailures,
  ),
  counter(
    'reachout_inbound_recipients_refused_total',
    'Recipients that no message of this installation names.',
    counts.refusedRecipients,
  ),
  counter(
    'reachout_inbound_complaints_refused_total',
    'Messages to the mailbox for complaints that are to be sent again later: beyond the rate of a network, or too many wait.',
    byKey('reason', counts.refusedComplaints),
  ),
  counter(
    'reachout_inbound_dropped_bytes_total',
    'Bytes of returned messages behind their start, which alone is stored.',
    counts.droppedBytes,
  ),
  gauge('reachout_inbound_connections', 'Open connections of mail servers that return mail.', connections),
  counter(
    'reachout_inbound_connections_refused_total',
    'Connections beyond the limit of all or of a network.',
    counts.refusedConnections,
  ),
];
