import type { DeliveryRun } from './lease.ts';

// The window: how many messages of one worker may be under way without a stored outcome (docs/sending.md).

/**
 * How many more messages fit.
 * @param window most messages without a stored outcome
 * @param runs all that the worker holds
 * @param reserved room that is promised to leases under way
 */
export function roomIn(window: number, runs: ReadonlySet<DeliveryRun>, reserved: number): number {
  let open = 0;
  for (const run of runs) open += run.openCount;
  return Math.max(0, window - reserved - open);
}

/**
 * How many more messages one run, or a new one, may mark ahead. The sends share the window; of one send the oldest
 * chunk that has not marked all of its messages comes first.
 * @param runs the oldest first
 * @returns not rounded; negative for a run that has more than its share
 */
export function shareOf(
  window: number,
  runs: ReadonlySet<DeliveryRun>,
  reserved: number,
  run: DeliveryRun | undefined,
): number {
  let others = 0;
  const wanting = new Set<string>();
  for (const each of runs) {
    const { sendId } = each.send.ref;
    const isInLine = wanting.has(sendId);
    if (each === run && isInLine) return 0;
    if (each.wantsMore && !isInLine) wanting.add(sendId);
    else if (each !== run) others += each.openCount;
  }
  const count = wanting.size + (run === undefined ? 1 : 0);
  const fair = (window - others) / Math.max(1, count) - (run?.openCount ?? 0);
  return Math.min(fair, roomIn(window, runs, reserved));
}
