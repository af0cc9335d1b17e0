import type { LeasedBatch } from './lease.ts';

// The in-flight limit: how many messages of one worker may be under way without a stored result (docs/sending.md).

/**
 * How many more messages fit.
 * @param limit most messages without a stored result
 * @param batches all that the worker holds
 * @param reserved room that is promised to leases under way
 */
export function freeSlots(limit: number, batches: ReadonlySet<LeasedBatch>, reserved: number): number {
  let inFlight = 0;
  for (const batch of batches) inFlight += batch.inFlightCount;
  return Math.max(0, limit - reserved - inFlight);
}

/**
 * How many more messages one batch, or a new one, may mark ahead. The sends share the in-flight limit; of one send the
 * oldest chunk that has not marked all of its messages comes first.
 * @param batches the oldest first
 * @returns not rounded; negative for a batch that has more than its share
 */
export function fairShare(
  limit: number,
  batches: ReadonlySet<LeasedBatch>,
  reserved: number,
  batch: LeasedBatch | undefined,
): number {
  let others = 0;
  const marking = new Set<string>();
  for (const each of batches) {
    const { sendId } = each.send.ref;
    const hasOlderBatch = marking.has(sendId);
    if (each === batch && hasOlderBatch) return 0;
    if (each.hasUnmarked && !hasOlderBatch) marking.add(sendId);
    else if (each !== batch) others += each.inFlightCount;
  }
  const count = marking.size + (batch === undefined ? 1 : 0);
  const fair = (limit - others) / Math.max(1, count) - (batch?.inFlightCount ?? 0);
  return Math.min(fair, freeSlots(limit, batches, reserved));
}
